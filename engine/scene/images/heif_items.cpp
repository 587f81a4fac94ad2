#include <splatwright/scene/images/heif_items.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/scene/images/box_header.h>

namespace splat {
namespace {

/// Big-endian numbers one after another; behind the end they are 0.
class Numbers {
public:
    explicit Numbers(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool end() const { return at_ >= bytes_.size(); }
    uint32_t next(size_t size) {
        const uint32_t number = numberAt(bytes_, at_, size, std::endian::big);
        at_ += size;
        return number;
    }
    BoxHeader header() {
        const BoxHeader header = boxHeaderAt(bytes_, at_);
        at_ += header.bytes;
        return header;
    }
    /// A box, of which there is what the list holds.
    std::pair<uint32_t, Numbers> box() {
        const BoxHeader head = header();
        const auto rest = bytes_.subspan(std::min<uint64_t>(at_, bytes_.size()));
        const auto content = rest.first(std::min<uint64_t>(head.size - std::min(head.size, head.bytes), rest.size()));
        at_ += content.size();
        return {head.type, Numbers(content)};
    }

private:
    std::span<const std::byte> bytes_;
    uint64_t at_ = 0;
};

constexpr uint32_t type(const char (&name)[5]) {
    uint32_t number = 0;
    for (const char c : std::string_view(name, 4)) number = number << 8U | static_cast<uint8_t>(c);
    return number;
}

/// For each item those that it is decoded from.
class Items {
public:
    explicit Items(const EncodedImage& file) : file_(file) {
        for (Numbers boxes(file.bytes); !boxes.end();) {
            const auto [name, content] = boxes.box();
            if (name == type("meta")) addReferencesOf(content);
        }
    }

    void check() {
        for (const auto& [item, parts] : parts_) {
            // An item may be part of several; a damaged one may be each part of large pictures in large pictures.
            const uint64_t most = 4 * (references_ + 1);
            if (decodedFor(item, 0) > most)
                throw InputError("{}: damaged HEIF: item {} is made of more than {} parts, expected one for each of its {} references",
                                 file_.path.string(), item, most, references_);
        }
    }

private:
    void addReferencesOf(Numbers meta) {
        meta.next(4);  // version and flags
        while (!meta.end()) {
            const auto [name, content] = meta.box();
            if (name == type("iref")) addReferences(content);
        }
    }

    /// As libheif reads them: by their counts, whatever size their headers say.
    void addReferences(Numbers list) {
        const size_t idSize = list.next(1) == 0 ? 2 : 4;
        list.next(3);
        while (!list.end()) {
            const uint32_t kind = list.header().type;
            const uint32_t from = list.next(idSize);
            for (uint32_t left = list.next(2); left > 0 && !list.end(); --left, ++references_) {
                const uint32_t to = list.next(idSize);
                if (kind == type("dimg")) parts_[from].push_back(to);
                if (kind == type("auxl")) parts_[to].push_back(from);  // a picture is decoded with its transparency
            }
        }
    }

    /// Items that are decoded for one, itself included, each as often as it is part of another.
    uint64_t decodedFor(uint32_t item, int depth) {
        constexpr int kDeepest = 8;
        constexpr uint64_t kMany = uint64_t{1} << 32U;
        if (depth > kDeepest)
            throw InputError("{}: damaged HEIF: item {} is made of itself, or lies more than {} levels deep", file_.path.string(), item,
                             kDeepest);
        const auto parts = parts_.find(item);
        if (parts == parts_.end()) return 1;
        if (const auto known = decoded_.find(item); known != decoded_.end()) return known->second;
        uint64_t sum = 1;
        for (const uint32_t part : parts->second) sum += decodedFor(part, depth + 1);
        return decoded_[item] = std::min(sum, kMany);
    }

    const EncodedImage& file_;
    std::map<uint32_t, std::vector<uint32_t>> parts_;
    std::map<uint32_t, uint64_t> decoded_;
    uint64_t references_ = 0;
};

}  // namespace

void checkHeifItems(const EncodedImage& file) { Items(file).check(); }

}  // namespace splat
