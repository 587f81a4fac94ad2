#include <splatwright/train/checkpoint/checkpoint.h>

#include <gtest/gtest.h>
#include <zlib.h>

#include <splatwright/core/file.h>
#include <splatwright/train/checkpoint/checkpoint_writer.h>
#include "../scene/scratch.h"
#include "../support/file_size_limit.h"

namespace splat {
namespace {

namespace fs = std::filesystem;
using namespace test;

std::vector<std::byte> numbered(size_t count) {
    std::vector<std::byte> bytes(count);
    for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 + 11);
    return bytes;
}

/// Sections that end on, before and after the alignment, and one without bytes.
Checkpoint someCheckpoint() {
    Checkpoint checkpoint;
    checkpoint.header = {{"step", 120}, {"device", "a device"}, {"settings", {{"steps", 300}}}};
    checkpoint.sections = {{"means", 12, numbered(60)}, {"sh", 4, numbered(64)}, {"empty", 8, {}}, {"flags", 1, numbered(65)}};
    return checkpoint;
}

struct CheckpointFile : testing::Test {
    void expectRefused(std::string_view damaged, const std::vector<std::string>& parts) const {
        const fs::path bad = scratch.write("bad.splat-ckpt", damaged);
        expectInputError([&] { readCheckpoint(bad); }, parts);
        expectInputError([&] { readCheckpoint(bad); }, {bad.string(), "expected"});
    }

    Scratch scratch;
    fs::path path = scratch.path() / "checkpoint.splat-ckpt";
    std::string content = (writeCheckpoint(path, someCheckpoint()), readTextFile(path));
};

template <class T>
std::string with(std::string content, size_t offset, T value) {
    std::memcpy(content.data() + offset, &value, sizeof value);
    return content;
}

/// The content with this text in its header changed to another of the same length, and a checksum that is right again.
std::string withHeader(std::string content, const std::string& from, const std::string& to) {
    constexpr size_t kPrefix = 32, kCrc = 24, kLength = 16;
    uint64_t length = 0;
    std::memcpy(&length, content.data() + kLength, sizeof length);
    const size_t at = content.find(from);
    EXPECT_TRUE(at >= kPrefix && at < kPrefix + length && from.size() == to.size()) << from;
    content.replace(at, from.size(), to);
    content = with(content, kCrc, uint32_t{0});
    return with(content, kCrc, static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), kPrefix + length)));
}

TEST_F(CheckpointFile, ReadsWhatWasWritten) {
    const Checkpoint read = readCheckpoint(path), written = someCheckpoint();
    EXPECT_EQ(read.header, written.header);
    ASSERT_EQ(read.sections.size(), written.sections.size());
    for (const CheckpointSection& s : written.sections) EXPECT_EQ(read.section(s.name, s.stride).bytes, s.bytes) << s.name;
    EXPECT_EQ(read.value<uint32_t>("step"), 120u);
}

TEST_F(CheckpointFile, SectionsLieAligned) {
    for (const CheckpointSection& s : someCheckpoint().sections) {
        const std::string bytes(reinterpret_cast<const char*>(s.bytes.data()), s.bytes.size());
        size_t at = 0;  // sections begin alike: the longest first match is at an aligned place all the same
        while ((at = content.find(bytes, at)) != std::string::npos && at % 64 != 0) ++at;
        EXPECT_NE(at, std::string::npos) << s.name;
    }
}

TEST_F(CheckpointFile, MissingAndForeignPartsAreNamed) {
    const Checkpoint read = readCheckpoint(path);
    expectInputError([&] { read.section("moments", 4); }, {path.string(), "'moments'", "missing"});
    expectInputError([&] { read.section("means", 4); }, {path.string(), "'means'", "12", "expected 4"});
    expectInputError([&] { read.value<uint32_t>("seconds"); }, {path.string(), "seconds", "missing"});
    expectInputError([&] { read.value<uint32_t>("device"); }, {path.string(), "device", "\"a device\""});
}

TEST_F(CheckpointFile, EveryFlippedByteIsNoticed) {
    for (size_t i = 0; i < content.size(); ++i) {
        std::string damaged = content;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));  // one bit: the least that can change
        const fs::path bad = scratch.write("bad.splat-ckpt", damaged);
        EXPECT_THROW(readCheckpoint(bad), InputError) << "byte " << i;
    }
}

TEST_F(CheckpointFile, EveryTruncationIsNoticed) {
    expectEveryPrefixToFail(scratch, "cut.splat-ckpt", content, [](const fs::path& p) { readCheckpoint(p); });
    expectRefused(content + '\0', {fmt::format("{} bytes", content.size() + 1), fmt::format("expected {}", content.size())});
}

TEST_F(CheckpointFile, DamageIsDescribed) {
    expectRefused(with(content, content.size() - 20, '!'), {"'flags'", "checksum", "damaged"});
    expectRefused(with(content, content.find("a device"), 'b'), {"header", "checksum", "damaged"});
    expectRefused(content.substr(0, content.size() - 60), {"'flags'", "truncated"});
    expectRefused(with(content, content.size() - 1, '!'), {"SPLATEND"});
}

TEST_F(CheckpointFile, ForeignFilesAreRefused) {
    expectRefused("", {"0 bytes"});
    expectRefused("\x89PNG\r\n\x1a\n" + std::string(100, 'x'), {"PNG", "not a checkpoint"});
    expectRefused(with(content, 8, uint32_t{1}), {"version is 1", "expected 2"});
    expectRefused(with(content, 12, uint32_t{0x04030201}), {"big-endian", "little-endian"});
    expectInputError([&] { readCheckpoint(scratch.path()); }, {scratch.path().string(), "directory"});
    expectInputError([&] { readCheckpoint(scratch.path() / "none"); }, {"none", "No such file"});
}

TEST_F(CheckpointFile, HeadersThatLieAreRefused) {
    expectRefused(withHeader(content, "\"sections\"", "\"section_\""), {"sections"});
    expectRefused(withHeader(content, "\"stride\":12", "\"stride\":00"), {"header"});  // no JSON any more
    expectRefused(withHeader(content, "\"stride\":12", "\"stride\":13"), {"'means'", "60", "13"});
    expectRefused(withHeader(content, "\"stride\":12", "\"stride\":-2"), {"means", "-2", "stride"});
    expectRefused(withHeader(content, "\"bytes\":60", "\"bytes\":-1"), {"means", "-1", "bytes"});
    expectRefused(withHeader(content, "\"bytes\":60", "\"bytes\":\"\""), {"means", "stride"});
    expectRefused(withHeader(content, "\"name\":\"sh\"", "\"nam_\":\"sh\""), {"name"});
}

TEST_F(CheckpointFile, NumbersThatTheirTypeCannotHoldAreRefused) {
    Checkpoint checkpoint = someCheckpoint();
    const auto value = [&](const nlohmann::ordered_json& step) {
        checkpoint.header["step"] = step;
        writeCheckpoint(path, checkpoint);
        return readCheckpoint(path).value<uint32_t>("step");
    };
    EXPECT_EQ(value(4294967295u), 4294967295u);
    for (const nlohmann::ordered_json& bad : {nlohmann::ordered_json(uint64_t{1} << 40u), nlohmann::ordered_json(-1),
                                              nlohmann::ordered_json(1e300), nlohmann::ordered_json("7")})
        expectInputError([&] { value(bad); }, {path.string(), "step", bad.dump(), "expected"});
    checkpoint.header["resumed_from"] = {1, uint64_t{1} << 40u};
    expectInputError([&] { checkpoint.value<std::vector<uint32_t>>("resumed_from"); }, {"resumed_from", "1099511627776"});
    checkpoint.header["resumed_from"] = {1, 2};
    EXPECT_EQ(checkpoint.value<std::vector<uint32_t>>("resumed_from"), (std::vector<uint32_t>{1, 2}));
}

TEST_F(CheckpointFile, AHeaderNestedDeeperThan64LevelsIsRefused) {
    Checkpoint checkpoint = someCheckpoint();
    for (int level = 0; level < 64; ++level) checkpoint.header["deep"] = {{"a", std::move(checkpoint.header["deep"])}};
    writeCheckpoint(path, checkpoint);
    expectInputError([&] { readCheckpoint(path); }, {path.string(), "header", "nested", "at most 64"});
}

TEST_F(CheckpointFile, AnyHeaderIsReadOrRefused) {
    // Damage below a checksum that fits reaches the parser and everything behind it.
    uint64_t length = 0;
    std::memcpy(&length, content.data() + 16, sizeof length);
    for (size_t i = 32; i < 32 + length; ++i) {
        for (const char c : {'9', '"', ']', '\xff'}) {
            const fs::path bad = scratch.write(
                "bad.splat-ckpt", withHeader(content, content.substr(i, length + 32 - i), c + content.substr(i + 1, length + 32 - i - 1)));
            try {
                readCheckpoint(bad);
            } catch (const InputError&) {
            }
        }
    }
}

TEST_F(CheckpointFile, FailedWriteLeavesTheOldOneAndNothingElse) {
    {
        const FileSizeLimit limit(content.size() - 50);
        try {
            writeCheckpoint(path, someCheckpoint());
            ADD_FAILURE() << "a disk that is full";
        } catch (const Error& problem) {
            EXPECT_NE(std::string(problem.what()).find(path.string() + ": cannot be written: File too large"), std::string::npos);
        }
    }
    EXPECT_EQ(readTextFile(path), content);
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), {}), 1);
}

TEST_F(CheckpointFile, WriterWritesOneAfterTheOther) {
    CheckpointWriter writer;
    EXPECT_FALSE(writer.written());
    for (uint32_t step = 1; step <= 5; ++step) {
        Checkpoint checkpoint = someCheckpoint();
        checkpoint.header["step"] = step;
        writer.write(std::move(checkpoint), step, scratch.path() / "written.splat-ckpt");
        if (step > 1) {
            EXPECT_EQ(writer.written(), step - 1);
        }
    }
    writer.finish();
    EXPECT_EQ(writer.written(), 5u);
    EXPECT_EQ(readCheckpoint(writer.path()).value<uint32_t>("step"), 5u);
}

TEST_F(CheckpointFile, WriterTellsOfAFailureOnce) {
    const FileSizeLimit limit(100);
    CheckpointWriter writer;
    writer.write(someCheckpoint(), 1, path);
    EXPECT_THROW(writer.write(someCheckpoint(), 2, path), Error);
    EXPECT_NO_THROW(writer.finish());
    EXPECT_FALSE(writer.written());
    EXPECT_EQ(readTextFile(path), content);
}

}  // namespace
}  // namespace splat
