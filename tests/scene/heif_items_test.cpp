// Items of a HEIF that are decoded from one another.
#include <numeric>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/scene/images/heif_items.h>

#include "raw_samples.h"
#include "scratch.h"

namespace splat {
namespace {

using namespace test;

struct Reference {
    std::string type;
    uint32_t from = 0;
    std::vector<uint32_t> to;
};

/// The box of all references, with numbers of items of two (version 0) or four bytes (version 1).
std::string references(const std::vector<Reference>& all, int version) {
    const size_t idSize = version == 0 ? 2 : 4;
    std::string list = big(static_cast<uint32_t>(version) << 24U);
    for (const Reference& reference : all) {
        std::string content = big(reference.from, idSize) + big(static_cast<uint32_t>(reference.to.size()), 2);
        for (const uint32_t item : reference.to) content += big(item, idSize);
        list += box(reference.type, content);
    }
    return box("iref", list);
}

void check(const std::string& file) {
    const std::filesystem::path path = "a.heic";
    checkHeifItems({.path = path, .bytes = std::as_bytes(std::span(file))});
}

/// A file with these references and other boxes before them.
std::string fileOf(const std::vector<Reference>& all, int version = 0) {
    return box("ftyp", "heic") + box("meta", big(0) + box("pitm", "123456") + references(all, version));
}

/// Items 1 to `count`, each made of the next one so many times.
std::vector<Reference> nested(uint32_t count, size_t times) {
    std::vector<Reference> all;
    for (uint32_t i = 1; i < count; ++i) all.push_back({"dimg", i, std::vector(times, i + 1)});
    return all;
}

TEST(HeifItems, OfPicturesAreSound) {
    std::vector<uint32_t> tiles(400);
    std::iota(tiles.begin(), tiles.end(), 1000);
    for (const int version : {0, 1}) {
        EXPECT_NO_THROW(check(fileOf({{"dimg", 1, tiles}, {"auxl", 2, {1}}, {"thmb", 3, {1}}, {"cdsc", 4, {1}}}, version)));
        EXPECT_NO_THROW(check(fileOf({{"thmb", 1, {2}}, {"thmb", 2, {1}}}, version))) << "thumbnails are no parts";
        EXPECT_NO_THROW(check(fileOf(nested(8, 1), version)));
    }
    EXPECT_NO_THROW(check(""));
    EXPECT_NO_THROW(check("no boxes at all"));
}

TEST(HeifItems, ThatAreMadeOfThemselvesAreRefused) {
    const auto refuse = [](const std::string& file, const std::string& what) {
        SCOPED_TRACE(what);
        expectInputError([&] { check(file); }, {"a.heic", "damaged HEIF", "made of itself", "8 levels"});
    };
    for (const int version : {0, 1}) {
        refuse(fileOf({{"dimg", 7, {1, 7}}}, version), "itself");
        refuse(fileOf({{"dimg", 7, {8}}, {"dimg", 8, {9}}, {"dimg", 9, {7}}}, version), "in a circle");
        refuse(fileOf({{"auxl", 1, {2}}, {"auxl", 2, {1}}}, version), "each the other's transparency");
        refuse(fileOf({{"auxl", 1, {2}}, {"dimg", 1, {2}}}, version), "transparency of what it is made of");
        refuse(fileOf(nested(20, 1), version), "too deep");
    }
    const std::string list = references({{"dimg", 7, {7}}}, 0);
    refuse(big(0) + "meta" + big(0) + list, "a box up to the end");
    refuse(big(1) + "meta" + big(0) + big(static_cast<uint32_t>(20 + list.size())) + big(0) + list, "a size of 64 bits");
    std::string lying = references({{"dimg", 1, {2}}, {"dimg", 7, {7}}}, 0);
    lying.replace(12, 4, big(8));
    refuse(box("meta", big(0) + lying), "references that end where their counts say");
}

TEST(HeifItems, ThatAreDecodedOverAndOverAreRefused) {
    EXPECT_NO_THROW(check(fileOf(nested(3, 3))));
    expectInputError([&] { check(fileOf(nested(8, 200))); }, {"a.heic", "more than", "parts", "1400 references"});
}

TEST(HeifItems, EveryPrefixEnds) {
    const std::string whole = fileOf(nested(5, 2)) + fileOf({{"dimg", 7, {7}}}, 1);
    for (size_t length = 0; length < whole.size(); ++length) {
        try {
            check(whole.substr(0, length));
        } catch (const InputError&) {
        }
    }
}

}  // namespace
}  // namespace splat
