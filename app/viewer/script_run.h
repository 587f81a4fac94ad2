#pragma once

#include <functional>
#include <string>
#include <vector>

#include "viewer/script.h"

namespace splat::app {

struct Action;
class Viewer;

/// What a line of a script waits for before it ends.
struct Wait {
    std::string what;             ///< for the message where it does not come
    std::function<bool()> until;  ///< throws Error where it never can be
    bool needsFrames = false;     ///< none come while the window is minimised
    bool forOthers = false;       ///< what a person or another program does meanwhile is theirs, mistakes included
};

/// Follows a script. A line ends when everything it began is done, and the script ends with the first line of which something went wrong.
class ScriptRun {
public:
    /// name: of the file, for messages. No lines: no script.
    ScriptRun(std::string name, std::vector<ScriptLine> lines);

    bool exists() const { return !lines_.empty(); }
    bool done() const { return next_ == lines_.size(); }
    /// As many lines as need no frame in between. Throws InputError naming the line that failed, or that waited in vain.
    void advance(Viewer& viewer);
    /// For the line that is being performed; without one nothing waits.
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
    Wait wait_;              ///< without `until`: for nothing
    uint64_t problems_ = 0;  ///< of the workspace when the line began
    double since_ = 0;       ///< seconds
};

}  // namespace splat::app
