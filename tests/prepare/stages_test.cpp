#include <splatwright/prepare/stages.h>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include "../scene/scratch.h"

namespace splat::prepare {
namespace {

TEST(Stages, AFinishedStageIsFoundByItsKeyInLaterCalls) {
    const test::Scratch scratch;
    const auto file = scratch.path() / "stages.json";
    Stages(file).finish("features", "key", {1, "two\xff"});
    const Stages later(file);
    EXPECT_TRUE(later.has("features"));
    ASSERT_TRUE(later.result("features", "key"));
    EXPECT_EQ(later.result("features", "key")->at(0), 1);
    EXPECT_FALSE(later.result("features", "other"));
    EXPECT_FALSE(later.result("matches", "key"));
}

TEST(Stages, AForgottenStageIsDoneAgain) {
    const test::Scratch scratch;
    Stages stages(scratch.path() / "stages.json");
    stages.finish("a", "k", true);
    stages.finish("b", "k", true);
    stages.forget("a");
    stages.forget("never");
    const Stages later(scratch.path() / "stages.json");
    EXPECT_FALSE(later.result("a", "k"));
    EXPECT_TRUE(later.result("b", "k"));
}

TEST(Stages, ADamagedRecordIsEmpty) {
    const test::Scratch scratch;
    for (const char* text : {"", "{", "[]", "{\"a\": 1}", "{\"a\": {\"key\": 7}}", "{\"a\": {\"key\": \"k\"}}"}) {
        const Stages stages(scratch.write("stages.json", text));
        EXPECT_FALSE(stages.result("a", "k")) << text;
    }
}

}  // namespace
}  // namespace splat::prepare
