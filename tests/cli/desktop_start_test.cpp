#include "commands/desktop_start.h"

#include <gtest/gtest.h>

#include "../scene/scratch.h"

namespace splat {
namespace {

using Words = std::vector<std::string>;
using app::withViewer;

TEST(DesktopStart, WithoutWordsIsTheViewer) { EXPECT_EQ(withViewer({"splatwright"}), (Words{"splatwright", "view"})); }

TEST(DesktopStart, OfDroppedFilesIsTheViewerWithThem) {
    const test::Scratch scratch;
    const std::string file = (scratch.path() / "a b.ply").string(), folder = scratch.path().string();
    EXPECT_EQ(withViewer({"splatwright", file, folder}), (Words{"splatwright", "view", file, folder}));
}

TEST(DesktopStart, OfCommandsIsWhatTheySay) {
    for (const Words& words :
         {Words{"splatwright", "info", "--json"}, Words{"splatwright", "--help"}, Words{"splatwright", "convert", "/a.ply", "/b.spz"}})
        EXPECT_EQ(withViewer(words), words);
}

}  // namespace
}  // namespace splat
