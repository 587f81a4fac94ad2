#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace splat {

/// A file of OpenUSD's text format (openusd.org, `usda`).
struct UsdaText {
    const std::filesystem::path& path;
    std::string_view content;

    /// Throws InputError with path, the line of `at`, which points into the content, what stands there and what was expected.
    [[noreturn]] void fail(const char* at, const std::string& expected) const;
};

/// A property of a prim or an entry of metadata, with its value as it stands in the text, which may be empty.
struct UsdaProperty {
    std::string_view type;  ///< as "point3f[]"; of metadata, the list operation, such as "prepend", if there is one
    std::string_view name;  ///< with its suffix, as "positions.timeSamples"
    std::string_view value;
};

/// An object of the scene.
struct UsdaPrim {
    std::string_view specifier;  ///< def, over or class
    std::string_view type, name;
    std::vector<UsdaProperty> metadata, properties;
    std::vector<UsdaPrim> children;
};

/// The property of a name that has a value, null if there is none.
const UsdaProperty* propertyOf(const std::vector<UsdaProperty>& properties, std::string_view name);

struct UsdaDocument {
    std::vector<UsdaProperty> metadata;
    std::vector<UsdaPrim> prims;
};

/// Finds all prims and where their values stand, without reading those; the contents of variants are passed over. Throws InputError.
UsdaDocument parseUsda(const UsdaText& text);

/// The value of the first time of a dictionary of time samples; empty if there are none. Throws InputError.
std::string_view firstSample(const UsdaText& text, std::string_view samples);

/// The text between the quotes of every string in a value.
std::vector<std::string_view> stringsIn(const UsdaText& text, std::string_view value);

}  // namespace splat
