#include "commands/desktop_start.h"

#include <gtest/gtest.h>

#include "../scene/scratch.h"

namespace splat {
namespace {

using Arguments = std::vector<std::string>;
using app::withViewer;

TEST(DesktopStart, WithoutWordsIsTheViewer) { EXPECT_EQ(withViewer({"splatwright"}), (Arguments{"splatwright", "view"})); }

TEST(DesktopStart, OfDroppedFilesIsTheViewerWithThem) {
    const test::Scratch scratch;
    const std::string file = (scratch.path() / "a b.ply").string(), folder = scratch.path().string();
    EXPECT_EQ(withViewer({"splatwright", file, folder}), (Arguments{"splatwright", "view", file, folder}));
}

TEST(DesktopStart, OfCommandsIsWhatTheySay) {
    for (const Arguments& words : {Arguments{"splatwright", "info", "--json"}, Arguments{"splatwright", "--help"},
                                   Arguments{"splatwright", "convert", "/a.ply", "/b.spz"}})
        EXPECT_EQ(withViewer(words), words);
}

}  // namespace
}  // namespace splat
