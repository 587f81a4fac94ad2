#pragma once

#include <cstdint>
#include <string_view>

namespace splat::prepare {

/// Follows a preparation. What a member throws ends it; finished stages are kept.
class Observer {
public:
    virtual ~Observer() = default;
    /// A stage begins; total: of its items, 0 if unknown.
    virtual void onStage(std::string_view /*name*/, uint64_t /*total*/) {}
    virtual void onProgress(uint64_t /*done*/) {}
    /// Called ten times a second, and between items.
    virtual void check() {}
};

}  // namespace splat::prepare
