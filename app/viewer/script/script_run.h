#pragma once

#include <functional>
#include <string>
#include <vector>

#include "viewer/script/script.h"

namespace splat::app {

struct Action;
class Viewer;

/// A condition that a script's line waits for.
struct Wait {
    std::string what;             ///< description for error messages
    std::function<bool()> until;  ///< throws Error if it cannot become true
    bool needsFrames = false;     ///< needs frames, which a minimised window does not draw
    bool forOthers = false;       ///< waits for the user or another program, whose errors are not the script's
};

/// Runs a script. A line ends when everything that it started is done; the script ends at the first line that fails.
class ScriptRun {
public:
    /// name: of the file, for messages. Without lines, there is no script.
    ScriptRun(std::string name, std::vector<ScriptLine> lines);

    bool exists() const { return !lines_.empty(); }
    bool done() const { return next_ == lines_.size(); }
    /// Runs lines until a frame is needed. Throws InputError naming the line that failed or timed out.
    void advance(Viewer& viewer);
    /// Sets the condition of the current line; ignored without one.
    void waitUntil(Wait wait);

private:
    bool ended(Viewer& viewer);
    const Action& knownAction() const;
    void begin(Viewer& viewer);
    void checkPatience(Viewer& viewer, const std::string& what, bool needsFrames) const;
    void checkProblems(Viewer& viewer) const;
    void attempt(Viewer& viewer, const std::function<void()>& something);
    [[noreturn]] void fail(const std::string& why) const;
    const ScriptLine& line() const { return lines_[next_]; }

    std::string name_;
    std::vector<ScriptLine> lines_;
    size_t next_ = 0;
    bool inLine_ = false;
    Wait wait_;              ///< without `until`: none
    uint64_t problems_ = 0;  ///< Workspace::problems() when the line began
    double since_ = 0;       ///< seconds
};

}  // namespace splat::app
