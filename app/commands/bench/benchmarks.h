#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/primitives/bench.h>
#include "commands/bench/bench_scene.h"
#include "commands/context.h"

namespace splat::app {

/// What benchmarks run on. The scene is made when the first of them needs it, unless its files are given.
class BenchInputs {
public:
    explicit BenchInputs(Context& context) : context_(context) {}

    /// Takes the scene from these files. Throws InputError.
    void read(const std::string& splats, const std::string& data) { scene_ = readBenchScene(context_, {.splats = splats, .data = data}); }
    const BenchScene& scene();
    Context& context() { return context_; }
    gpu::Device& device() { return context_.device(); }

private:
    Context& context_;
    std::optional<BenchScene> scene_;
};

/// A value of WHAT: of primitives at numbers of items, or of a scene.
struct Benchmark {
    std::string_view name;
    std::string_view help;
    std::vector<primitives::BenchRow> (*run)(BenchInputs& inputs, const std::vector<uint32_t>& sizes);
    std::span<const uint32_t> sizes = {};          ///< default of --n on a GPU; empty: takes a scene, and no sizes
    std::span<const uint32_t> softwareSizes = {};  ///< default of --n on a CPU device

    bool takesScene() const { return sizes.empty(); }
};

std::span<const Benchmark> benchmarks();
/// In the place of "sort" with --classic.
const Benchmark& classicSortBenchmark();

inline constexpr uint32_t kSoftwareBenchSizes[] = {1u << 16u, 1u << 20u};

}  // namespace splat::app
