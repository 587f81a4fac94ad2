#pragma once

#include <map>
#include <string>

#include <splatwright/prepare/poses.h>

namespace splat::prepare {

/// COLMAP's list of pairs divides a line at blanks, so that photographs with blanks in their names would silently not be matched. They get other names
/// for COLMAP, by links in the folder for its work.
class PlainNames {
public:
    /// Makes links if a name has a blank and COLMAP gets a list of pairs. Throws Error if they cannot be made.
    PlainNames(const PosesInput& given, bool listsPairs);
    PlainNames(const PlainNames&) = delete;
    PlainNames& operator=(const PlainNames&) = delete;

    const PosesInput& input() const { return input_; }
    /// Under the given names.
    Poses given(Poses poses) const;

private:
    void link(const PosesInput& given);
    const std::string& givenName(const std::string& plain) const;

    PosesInput input_;
    std::map<std::string, std::string> given_;  ///< from plain names
    Model known_;
};

}  // namespace splat::prepare
