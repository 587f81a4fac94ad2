#pragma once

#include <functional>
#include <string>
#include <vector>

#include "viewer/script/script.h"

namespace splat::app {

struct Action;
class Viewer;

/// Runs a script. A line ends when everything that it started is done; the script ends at the first line that fails.
class ScriptRun {
public:
    /// name: of the file, for messages.
    ScriptRun(std::string name, std::vector<ScriptLine> lines);

    /// Runs lines until a frame is needed, and says whether some are left. Throws InputError naming the line that failed or timed out.
    bool advance(Viewer& viewer);

private:
    bool done() const { return next_ == lines_.size(); }
    bool ended(Viewer& viewer);
    void begin(Viewer& viewer);
    void checkProblems(Viewer& viewer) const;
    void attempt(Viewer& viewer, const std::function<void()>& something);
    [[noreturn]] void fail(const std::string& why) const;
    const ScriptLine& line() const { return lines_[next_]; }

    std::string name_;
    std::vector<ScriptLine> lines_;
    size_t next_ = 0;
    uint64_t problems_ = 0;  ///< Workspace::problems() when the line began
    double since_ = 0;       ///< seconds
};

}  // namespace splat::app
