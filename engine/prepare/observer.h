#pragma once

#include <cstdint>
#include <string_view>

#include <splatwright/prepare/sparse_scene.h>

namespace splat::prepare {

/// Follows a preparation. What a member throws ends it; finished stages are kept.
class Observer {
public:
    virtual ~Observer() = default;
    /// A stage begins; total: of its items, 0 if unknown.
    virtual void onStage(std::string_view /*name*/, uint64_t /*total*/) {}
    virtual void onProgress(uint64_t /*done*/) {}
    /// Something to know at once, such as why a stage is done again.
    virtual void onNote(std::string_view /*text*/) {}
    /// Called ten times a second, and between items.
    virtual void check() {}
    /// Whether onScene() is wanted: the mapper then writes what it has about 30 times.
    virtual bool watchesScene() const { return false; }
    /// The cameras and points that are registered so far, in a frame like the dataset's: see sceneFrame().
    virtual void onScene(const SparseScene& /*scene*/) {}
};

}  // namespace splat::prepare
