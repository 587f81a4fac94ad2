#include <splatwright/train/checkpoint/checkpoint.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <span>

#include <zlib.h>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>

namespace splat {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

namespace {

static_assert(std::endian::native == std::endian::little, "sections are written with their memory layout");

constexpr uint32_t kVersion = 2;
constexpr uint32_t kByteOrder = 0x01020304;
constexpr uint32_t kOtherByteOrder = 0x04030201;
constexpr uint64_t kAlignment = 64;  // bytes, so that sections can be memory-mapped
constexpr std::array<char, 8> kMagic{'S', 'P', 'L', 'A', 'T', 'C', 'K', 'P'};
constexpr std::array<char, 8> kEnd{'S', 'P', 'L', 'A', 'T', 'E', 'N', 'D'};

struct Prefix {
    std::array<char, 8> magic = kMagic;
    uint32_t version = kVersion;
    uint32_t byteOrder = kByteOrder;
    uint64_t headerBytes = 0;
    uint32_t crc = 0;  ///< of this struct with crc = 0, followed by the header
    uint32_t zero = 0;
};
static_assert(sizeof(Prefix) == 32);

uint32_t crc32Of(std::span<const std::byte> bytes, uint32_t before = 0) {
    return static_cast<uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <class T>
std::span<const std::byte> bytesOf(const T& value) {
    return std::as_bytes(std::span(&value, 1));
}

uint32_t crc32Of(Prefix prefix, const std::string& header) {
    prefix.crc = 0;
    return crc32Of(std::as_bytes(std::span(header)), crc32Of(bytesOf(prefix)));
}

uint64_t aligned(uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

/// Reads a file sequentially and throws InputError with its path.
class Reader {
public:
    explicit Reader(fs::path path) : path_(std::move(path)), in_(openInput(path_)) {
        std::error_code failed;
        size_ = fs::file_size(path_, failed);
        if (failed) refuse("cannot be read: {}", failed.message());
    }

    const fs::path& path() const { return path_; }
    uint64_t size() const { return size_; }
    uint64_t position() const { return position_; }

    template <class... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const {
        throw InputError("{}: {}", path_.string(), fmt::format(text, std::forward<Args>(args)...));
    }

    void read(std::span<std::byte> bytes) {
        in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!in_) refuse("reading failed at byte {} of {}", position_, size_);
        position_ += bytes.size();
    }

    template <class T>
    T read() {
        T value;
        read(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }

private:
    fs::path path_;
    std::ifstream in_;
    uint64_t size_ = 0, position_ = 0;
};

json readHeader(Reader& reader) {
    if (reader.size() < sizeof(Prefix) + kEnd.size())
        reader.refuse("has {} bytes, expected a checkpoint of at least {}", reader.size(), sizeof(Prefix) + kEnd.size());
    const auto prefix = reader.read<Prefix>();
    if (prefix.magic != kMagic)
        reader.refuse("begins with {}, expected \"SPLATCKP\": not a checkpoint",
                      jsonText(json(std::string(prefix.magic.begin(), prefix.magic.end()))));
    if (prefix.byteOrder == kOtherByteOrder) reader.refuse("byte order is big-endian, expected little-endian");
    if (prefix.byteOrder != kByteOrder)
        reader.refuse("byte order mark is {:#010x}, expected {:#010x}: the file is damaged", prefix.byteOrder, kByteOrder);
    if (prefix.version != kVersion) reader.refuse("version is {}, expected {}", prefix.version, kVersion);
    const uint64_t most = reader.size() - sizeof(Prefix) - kEnd.size();
    if (prefix.headerBytes > most)
        reader.refuse("header claims {} bytes, expected at most the {} that are left: the file is truncated", prefix.headerBytes, most);
    std::string text(prefix.headerBytes, '\0');
    reader.read(std::as_writable_bytes(std::span(text)));
    const uint32_t found = crc32Of(prefix, text);
    if (found != prefix.crc) reader.refuse("header has checksum {:08x}, expected {:08x}: the file is damaged", found, prefix.crc);
    json header = parseOrderedJson(text, reader.path().string() + ": header");
    if (!header.is_object() || !header.contains("sections") || !header["sections"].is_array())
        reader.refuse("header is not valid, expected a JSON object with a list of sections");
    return header;
}

/// Entry of a section in the header's list.
struct Listed {
    std::string name;
    uint32_t stride;
    uint64_t bytes;
    uint32_t crc;
};

Listed listed(const Reader& reader, const json& entry) {
    try {
        return {entry.at("name").get<std::string>(), wholeNumber<uint32_t>(entry.at("stride")).value(),
                wholeNumber<uint64_t>(entry.at("bytes")).value(), wholeNumber<uint32_t>(entry.at("crc32")).value()};
    } catch (const std::exception&) {  // a key is missing, of another type or out of range
        reader.refuse("a section is listed as {}, expected name, bytes, stride and crc32", jsonText(entry));
    }
}

CheckpointSection readSection(Reader& reader, const Listed& wanted) {
    const uint64_t begin = aligned(reader.position()), left = reader.size() - std::min(begin, reader.size());
    if (wanted.bytes > left) {
        reader.refuse("section '{}' claims {} bytes, expected at most the {} that are left: the file is truncated", wanted.name,
                      wanted.bytes, left);
    }
    if (wanted.stride == 0 || wanted.bytes % wanted.stride != 0)
        reader.refuse("section '{}' has {} bytes, expected a multiple of its stride {}", wanted.name, wanted.bytes, wanted.stride);
    std::vector<std::byte> padding(begin - reader.position());
    reader.read(padding);
    if (std::ranges::any_of(padding, [](std::byte b) { return b != std::byte{0}; }))
        reader.refuse("bytes before {} are not zero, expected padding: the file is damaged", begin);
    CheckpointSection section{wanted.name, wanted.stride, std::vector<std::byte>(wanted.bytes)};
    reader.read(section.bytes);
    const uint32_t found = crc32Of(section.bytes);
    if (found != wanted.crc)
        reader.refuse("section '{}' has checksum {:08x}, expected {:08x}: the file is damaged", wanted.name, found, wanted.crc);
    return section;
}

void readEnd(Reader& reader) {
    const uint64_t expected = reader.position() + kEnd.size();
    if (reader.size() != expected) reader.refuse("has {} bytes, expected {}: it is truncated or damaged", reader.size(), expected);
    if (reader.read<std::array<char, 8>>() != kEnd) reader.refuse("does not end with \"SPLATEND\", as expected: it is damaged");
}

}  // namespace

bool Checkpoint::has(std::string_view section) const {
    return std::ranges::find(sections, section, &CheckpointSection::name) != sections.end();
}

const CheckpointSection& Checkpoint::section(std::string_view name, uint32_t stride) const {
    const auto found = std::ranges::find(sections, name, &CheckpointSection::name);
    if (found == sections.end()) throw InputError("{}: section '{}' is missing, expected in a checkpoint", path.string(), name);
    if (found->stride != stride)
        throw InputError("{}: section '{}' has elements of {} bytes, expected {}", path.string(), name, found->stride, stride);
    return *found;
}

void writeCheckpoint(const fs::path& path, const Checkpoint& checkpoint) {
    json described = checkpoint.header;
    described["sections"] = json::array();
    for (const CheckpointSection& s : checkpoint.sections) {
        SPLAT_CHECK(s.stride > 0 && s.bytes.size() % s.stride == 0, "section '{}': {} bytes, stride {}", s.name, s.bytes.size(), s.stride);
        described["sections"].push_back({{"name", s.name}, {"bytes", s.bytes.size()}, {"stride", s.stride}, {"crc32", crc32Of(s.bytes)}});
    }
    const std::string header = jsonText(described);
    Prefix prefix{.headerBytes = header.size()};
    prefix.crc = crc32Of(prefix, header);
    AtomicFile file(path);
    uint64_t position = 0;
    const auto write = [&](std::span<const std::byte> bytes) {
        file.write(bytes);
        position += bytes.size();
    };
    write(bytesOf(prefix));
    write(std::as_bytes(std::span(header)));
    for (const CheckpointSection& s : checkpoint.sections) {
        constexpr std::array<std::byte, kAlignment> kZeros{};
        write(std::span(kZeros).first(aligned(position) - position));
        write(s.bytes);
    }
    write(bytesOf(kEnd));
    file.sync();
    file.commit();
}

bool isCheckpoint(const fs::path& path) {
    std::ifstream in = openInput(path);
    std::array<char, kMagic.size()> found{};
    in.read(found.data(), found.size());
    return found == kMagic;
}

Checkpoint readCheckpoint(const fs::path& path) {
    Reader reader(path);
    Checkpoint checkpoint{readHeader(reader), {}, path};
    for (const json& entry : checkpoint.header["sections"]) checkpoint.sections.push_back(readSection(reader, listed(reader, entry)));
    readEnd(reader);
    checkpoint.header.erase("sections");
    return checkpoint;
}

size_t trainingViewsOf(const Checkpoint& checkpoint) {
    const auto data = checkpoint.value<nlohmann::ordered_json>("data");
    if (!data.is_object() || !data.contains("views") || !data["views"].is_array())
        throw InputError("{}: data is {}, expected path, frame and views", checkpoint.path.string(), jsonText(data));
    return data["views"].size();
}

}  // namespace splat
