#pragma once

#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include <splatwright/scene/files/byte_reader.h>
#include <splatwright/scene/formats/gltf_file.h>

namespace splat {

/// glTF's numbers of the types of components.
enum class GltfType : uint32_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

/// An encoding of numbers.
struct GltfEncoding {
    GltfType type;
    bool normalised = false;  ///< whether whole numbers stand for -1 to 1 or 0 to 1
    bool operator==(const GltfEncoding&) const = default;
};

/// What an attribute of a primitive may be.
struct GltfAttribute {
    const char* name;
    int components;
    std::span<const GltfEncoding> encodings;
};

/// Reads the numbers of an accessor, which may be sparse.
class GltfAccessor {
public:
    /// The file must outlive the accessor. Throws InputError, with the accessor and the attribute, if it is not one that the attribute allows or
    /// exceeds its buffer view.
    GltfAccessor(const GltfFile& file, size_t index, const GltfAttribute& attribute);
    GltfAccessor(GltfAccessor&&) = default;

    /// The number of items of an accessor. Throws InputError if it is 0.
    static size_t countOf(const GltfFile& file, size_t index);

    size_t count() const { return count_; }
    GltfEncoding encoding() const { return encoding_; }
    /// An item as a vector, glm::vec3 or another, with as many components as the attribute.
    template <class Value>
    Value at(size_t item) const {
        if (encoding_.type == GltfType::f32) return valueAt<Value>(first_ + item * stride_);
        Value value;
        for (int c = 0; c < Value::length(); ++c) value[c] = number(first_ + item * stride_, static_cast<size_t>(c));
        return value;
    }

private:
    void readDense(const GltfFile& file, const GltfObject& accessor);
    void replace(const GltfFile& file, const GltfObject& sparse);
    float number(const std::byte* item, size_t component) const;

    size_t count_;
    GltfEncoding encoding_;
    size_t itemBytes_;
    const std::byte* first_ = nullptr;
    size_t stride_ = 0;
    std::vector<std::byte> own_;  ///< the items of a sparse accessor
};

}  // namespace splat
