#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "viewer/viewer/viewer.h"

namespace splat::test {

/// A model's edits.
struct ModelState {
    std::string name;
    ModelTransform transform;
    std::vector<uint8_t> flags;

    bool operator==(const ModelState&) const = default;
};
using WorldState = std::map<World::Id, ModelState>;

/// What must hold of a viewer's edits between two frames, whatever was done. Each check ends the program if it does not.
class Invariants {
public:
    Invariants(app::Viewer& viewer, const primitives::RadixSort& sort, std::filesystem::path folder, double autosaveSeconds);

    /// Every frame: notes what the checks compare with.
    void update();
    /// Undoing everything gives the models as they came, one edit at a time, and redoing it the models as they are, by the same states.
    void checkUndo();
    /// Deleted and left splats are all that were loaded, in the counts and in a saved file.
    void checkCounts();
    /// A project that is saved and opened elsewhere is the same project.
    void checkProject();
    /// What a viewer that is killed now leaves has all edits, but the latest.
    void checkRecovery();
    uint64_t checks() const { return checks_; }

private:
    struct Birth {
        ModelTransform transform;
        std::vector<uint8_t> flags;
        bool isKnown = true;  ///< whether nothing had been edited
    };
    /// A state, and how long it was the last one: until then.
    struct Past {
        WorldState state;
        uint64_t revision = 0;
        std::optional<double> until;
    };

    WorldState state() const;
    void compare(const WorldState& found, const WorldState& expected, const std::string& when) const;
    nlohmann::json reopened(const std::filesystem::path& project) const;
    void finishLoading(app::Workspace& work) const;

    app::Viewer& viewer_;
    const primitives::RadixSort& sort_;
    std::filesystem::path folder_;
    double autosaveSeconds_;
    std::map<World::Id, Birth> births_;
    std::deque<Past> past_;
    double quietSince_ = 0, busySince_ = 0;
    uint64_t checks_ = 0;
};

}  // namespace splat::test
