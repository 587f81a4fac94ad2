#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splat::prepare {

// In the dataset's folder, of a preparation.
inline constexpr const char* kWorkFolder = ".prepare";
inline constexpr const char* kLogFile = "prepare.log";

/// What a dataset is made of.
struct Origin {
    std::string kind;   ///< "photographs", "video", or the format of a dataset with poses
    std::string input;  ///< canonical path, as escapedName()
    bool operator==(const Origin&) const = default;
    /// "the photographs of /home/me/fox".
    std::string text() const;
};

/// The origin of a dataset made of this input.
Origin originOf(std::string kind, const std::filesystem::path& input);

/// The files in a dataset's folder that a preparation made. `.prepare/made.json` records size and time of each before it is placed; all others in the
/// folder, and those that were changed since, are the user's and never replaced or removed.
class OwnFiles {
public:
    /// Reads the record, if there is one; a damaged one throws InputError.
    explicit OwnFiles(std::filesystem::path folder);

    bool hasRecord() const { return origin_.has_value(); }
    const std::optional<Origin>& origin() const { return origin_; }
    /// Whether files at or below a name ("images") are recorded, and whether these are all there as they were made.
    bool hasAny(std::string_view top) const { return recorded(top) > 0; }
    bool hasAll(std::string_view top) const { return ownBelow(top).size() == recorded(top); }
    /// Records files that were changed through another link of theirs as they are now.
    void refresh();
    /// An empty folder for new files, on the same file system.
    std::filesystem::path stage() const;
    /// Leaves own files at or below a name to the user, from the next place() on.
    void release(std::string_view top);
    /// Moves all staged files to their places and removes other own files at or below `tops`. Nothing is changed if one of the places is taken by
    /// something that is not ours: that throws InputError. Files are never written through a link.
    void place(const Origin& origin, std::span<const std::string_view> tops);

private:
    using Stamps = std::set<std::string>;

    bool isOwn(const std::filesystem::path& file) const;
    void checkFree(const std::filesystem::path& file) const;
    void checkReplaceable(std::span<const std::string_view> tops) const;
    void checkUnmixed(const std::filesystem::path& staged, std::span<const std::string_view> tops) const;
    size_t recorded(std::string_view top) const;
    std::vector<std::filesystem::path> ownBelow(std::string_view top) const;
    void remove(const std::filesystem::path& file) const;
    void write() const;

    std::filesystem::path folder_;
    std::optional<Origin> origin_;
    std::map<std::string, Stamps> files_;  ///< of each path below the folder, as escapedName(): more than one stamp while it is replaced
};

/// Throws InputError unless a dataset of this origin may be made in the folder: it is new, empty but for an earlier start, or was made of the same;
/// with `force`, of anything. `inPlace`: the input is the folder itself, or its images.
void checkFolder(const std::filesystem::path& folder, const Origin& origin, bool force, bool inPlace);

}  // namespace splat::prepare
