#include <splatwright/scene/formats/gltf_accessor.h>

#include <algorithm>
#include <array>
#include <string>

#include <splatwright/core/error.h>

namespace splat {
namespace {

constexpr std::array<std::byte, 64> kZeros{};  // an item of an accessor without a buffer view

size_t bytesOf(GltfType type) {
    switch (type) {
        case GltfType::i8:
        case GltfType::u8: return 1;
        case GltfType::i16:
        case GltfType::u16: return 2;
        case GltfType::u32:
        case GltfType::f32: break;
    }
    return 4;
}

std::string nameOf(GltfEncoding encoding) {
    const char* name = encoding.type == GltfType::i8    ? "signed byte"
                       : encoding.type == GltfType::u8  ? "unsigned byte"
                       : encoding.type == GltfType::i16 ? "signed short"
                       : encoding.type == GltfType::u16 ? "unsigned short"
                                                        : "float";
    return encoding.normalised ? fmt::format("normalised {}", name) : name;
}

GltfEncoding encodingOf(const GltfObject& accessor, const GltfAttribute& attribute) {
    const size_t type = accessor.whole("componentType");
    const GltfEncoding found{static_cast<GltfType>(type), accessor.flag("normalized")};
    const bool known =
        type <= std::numeric_limits<uint32_t>::max() && std::ranges::find(attribute.encodings, found) != attribute.encodings.end();
    if (known) return found;
    std::string expected;
    for (const GltfEncoding& each : attribute.encodings) expected += (expected.empty() ? "" : ", ") + nameOf(each);
    throw InputError("{}: componentType of {} is {}{}, expected {}", accessor.where(), attribute.name, type,
                     found.normalised ? ", normalised" : "", expected);
}

/// A whole number, by its share of the type's largest if it is normalised.
template <class T>
float numberAt(const std::byte* from, bool normalised) {
    const auto value = static_cast<float>(valueAt<T>(from));
    return normalised ? std::max(value / static_cast<float>(std::numeric_limits<T>::max()), -1.0f) : value;
}

/// `count` items, `stride` bytes apart, within a buffer view; 0: without gaps. Throws InputError if the view is too short.
std::span<const std::byte> itemsOf(const GltfFile& file, const GltfObject& user, size_t count, size_t itemBytes, size_t stride) {
    const size_t offset = user.whole("byteOffset", 0);
    const auto view = file.view(user.whole("bufferView"));
    const size_t step = stride == 0 ? itemBytes : stride;
    if (offset <= view.size() && itemBytes <= view.size() - offset && (view.size() - offset - itemBytes) / step >= count - 1) {
        return view.subspan(offset);
    }
    throw InputError("{}: {} items of {} bytes, {} apart, from {} on, expected them within the {} of the buffer view", user.where(), count,
                     itemBytes, step, offset, view.size());
}

}  // namespace

size_t GltfAccessor::countOf(const GltfFile& file, size_t index) {
    const GltfObject accessor = file.root().item("accessors", index);
    const size_t count = accessor.whole("count");
    if (count == 0) throw InputError("{}: count is 0, expected at least 1", accessor.where());
    return count;
}

GltfAccessor::GltfAccessor(const GltfFile& file, size_t index, const GltfAttribute& attribute) : count_(countOf(file, index)) {
    const GltfObject accessor = file.root().item("accessors", index);
    const std::string type = attribute.components == 1 ? "SCALAR" : fmt::format("VEC{}", attribute.components);
    if (const std::string found = accessor.text("type"); found != type) {
        throw InputError("{}: type of {} is '{}', expected '{}'", accessor.where(), attribute.name, found, type);
    }
    encoding_ = encodingOf(accessor, attribute);
    itemBytes_ = bytesOf(encoding_.type) * static_cast<size_t>(attribute.components);
    first_ = kZeros.data();
    if (accessor.has("bufferView")) readDense(file, accessor);
    if (accessor.has("sparse")) replace(file, accessor.object("sparse"));
}

void GltfAccessor::readDense(const GltfFile& file, const GltfObject& accessor) {
    const GltfObject view = file.root().item("bufferViews", accessor.whole("bufferView"));
    stride_ = view.whole("byteStride", itemBytes_);
    if (stride_ < itemBytes_) throw InputError("{}: byteStride is {}, expected at least {}", view.where(), stride_, itemBytes_);
    first_ = itemsOf(file, accessor, count_, itemBytes_, stride_).data();
}

/// Copies the items and replaces those that the sparse part lists.
void GltfAccessor::replace(const GltfFile& file, const GltfObject& sparse) {
    const size_t replaced = sparse.whole("count");
    if (replaced == 0 || replaced > count_) {
        throw InputError("{}: count is {}, expected 1 to {}", sparse.where(), replaced, count_);
    }
    const GltfObject places = sparse.object("indices");
    const auto type = static_cast<GltfType>(std::min<size_t>(places.whole("componentType"), std::numeric_limits<uint32_t>::max()));
    if (type != GltfType::u8 && type != GltfType::u16 && type != GltfType::u32) {
        throw InputError("{}: componentType is {}, expected an unsigned byte, short or integer", places.where(),
                         static_cast<uint32_t>(type));
    }
    const std::byte* place = itemsOf(file, places, replaced, bytesOf(type), 0).data();
    const std::byte* value = itemsOf(file, sparse.object("values"), replaced, itemBytes_, 0).data();
    own_.resize(count_ * itemBytes_);
    for (size_t i = 0; i < count_; ++i) std::memcpy(&own_[i * itemBytes_], first_ + i * stride_, itemBytes_);
    for (size_t i = 0; i < replaced; ++i, place += bytesOf(type), value += itemBytes_) {
        const size_t item = type == GltfType::u8    ? valueAt<uint8_t>(place)
                            : type == GltfType::u16 ? valueAt<uint16_t>(place)
                                                    : valueAt<uint32_t>(place);
        if (item >= count_) throw InputError("{}: found the index {}, expected less than {}", places.where(), item, count_);
        std::memcpy(&own_[item * itemBytes_], value, itemBytes_);
    }
    first_ = own_.data();
    stride_ = itemBytes_;
}

float GltfAccessor::number(const std::byte* item, size_t component) const {
    switch (encoding_.type) {
        case GltfType::i8: return numberAt<int8_t>(item + component, encoding_.normalised);
        case GltfType::u8: return numberAt<uint8_t>(item + component, encoding_.normalised);
        case GltfType::i16: return numberAt<int16_t>(item + 2 * component, encoding_.normalised);
        case GltfType::u16: return numberAt<uint16_t>(item + 2 * component, encoding_.normalised);
        case GltfType::u32:
        case GltfType::f32: break;
    }
    return valueAt<float>(item + 4 * component);
}

}  // namespace splat
