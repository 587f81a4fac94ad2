#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include <splatwright/primitives/radix_sort.h>
#include <splatwright/scene/gaussians/gaussians.h>

namespace splat {

/// The device for changes that need one, which the first of them opens.
struct LazyDevice {
    std::function<gpu::Device&()> device;
    std::function<const primitives::RadixSort&()> sort;
};

/// Changes splats in memory. Throws InputError if they do not allow it.
using Change = std::function<void(Gaussians& gaussians, const LazyDevice& device)>;

/// A second option of an operation: a number that refines what its text asks for.
struct OperationNumber {
    const char* name = nullptr;  ///< null: none
    float min = 0, max = 0, initial = 0;
    const char* help = nullptr;
};

/// What a change of a splat depends on, and what it may do.
enum class Reach : uint8_t {
    model,   ///< needs all splats at once
    splats,  ///< keeps or drops each splat by itself, so that a part of a model can be changed alone
    values,  ///< changes the values of each splat by itself, and drops none
};

/// A step between reading and writing splats. `convert` has an option for each, and applies them in the order of the command line.
struct SplatOperation {
    const char* name;  ///< lower case, words joined by -
    /// For help: "X,Y,Z", names of the value's numbers ("X" for one, "N" for a whole one), or of a text; null: it takes no value.
    const char* value = nullptr;
    double min = 0, max = 0;  ///< of each number; equal: the value is a text
    const char* help;
    OperationNumber number = {};
    /// Throws InputError with what was found and expected; changeOf() says where.
    Change (*ofNumbers)(std::span<const double> numbers) = nullptr;  ///< of none for a flag
    Change (*ofText)(std::string_view text) = nullptr;               ///< instead, for a text
    Change (*ofTextAndNumber)(std::string_view text, float number) = nullptr;
    Reach reach = Reach::model;
};

/// All rows, in the order of help texts.
std::span<const SplatOperation* const> splatOperations();

/// The change of a row and its value as text; `number` is the value of its second option, if that is given. Throws InputError with `where`, what was found and what was expected.
Change changeOf(const SplatOperation& row, std::string_view value, std::string_view where, std::optional<float> number = {});

}  // namespace splat
