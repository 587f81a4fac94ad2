// What a viewer that was killed has left, and the next one recovers.
#include <splatwright/scene/images/image_file.h>
#include "viewer_project.h"

namespace splat {
namespace {

using namespace test;

/// Viewers whose user has the folder `config`.
struct ViewerRecovery : ViewerProject {
    fs::path autosave() const { return scratch.path() / "config" / "splatwright" / "autosave" / "1.splatproject"; }
    RunOptions asUser() const { return {.environment = {{"XDG_CONFIG_HOME", (scratch.path() / "config").string()}}}; }
    /// Works, and is killed once the autosave has all of it.
    void beKilled() const {
        RunOptions options = asUser();
        options.interruptWhen = [this] {  // the script's last change is that of the range
            return fs::exists(at("worked.json")) && fs::exists(autosave()) &&
                   json::parse(readTextFile(autosave())).at("picture").at("range_high") == 0.5;
        };
        options.signal = SIGKILL;
        const Outcome killed =
            follow(work() + look("worked.png") + writeReport("worked.json") + "wait seconds 60\n", options, {"--autosave", "0.1"});
        EXPECT_EQ(killed.code, 128 + SIGKILL) << killed.err;
    }
};

/// kill -9 loses nothing that the last autosave has, and what was not saved is still not saved.
TEST_F(ViewerRecovery, BringsBackWhatTheAutosaveHas) {
    beKilled();
    expectSuccess(follow("recover\n" + look("recovered.png") + writeReport("recovered.json") + "try recover\n" + writeReport("again.json"),
                         asUser(), {"--autosave", "60"}));
    EXPECT_EQ(kept("recovered.json"), kept("worked.json"));
    EXPECT_EQ(unsaved("recovered.json"), unsaved("worked.json"));
    EXPECT_GT(unsaved("recovered.json"), 0u);
    EXPECT_EQ(readImage(at("recovered.png")).pixels, readImage(at("worked.png")).pixels);
    EXPECT_TRUE(readReport("again.json").at("problem").get<bool>()) << "once";
    EXPECT_TRUE(fs::is_empty(autosave().parent_path())) << "who leaves as he should leaves nothing";
}

/// Ctrl-C before the first autosave: there is nothing to recover.
TEST_F(ViewerRecovery, LeavesNoLockAfterCtrlC) {
    RunOptions options = asUser();
    options.interruptWhen = [this] { return fs::exists(at("open.json")); };
    follow(openSplats() + writeReport("open.json") + "wait seconds 60\n", options, {"--autosave", "60"});
    EXPECT_TRUE(fs::exists(autosave().parent_path()));
    EXPECT_TRUE(fs::is_empty(autosave().parent_path()));
}

/// Killed twice, the second time after a recovery; then it is thrown away.
TEST_F(ViewerRecovery, WaitsUntilItIsTakenOrDiscarded) {
    beKilled();
    RunOptions options = asUser();
    options.interruptWhen = [this] { return fs::exists(at("recovered.json")); };
    options.signal = SIGKILL;
    follow("recover\n" + writeReport("recovered.json") + "wait seconds 60\n", options, {"--autosave", "60"});
    expectSuccess(follow("recover\n" + writeReport("twice.json"), asUser(), {"--autosave", "60"}));
    EXPECT_EQ(kept("twice.json"), kept("worked.json"));
    beKilled();
    expectSuccess(follow("discard_recovery\ntry recover\n" + writeReport("gone.json"), asUser(), {"--autosave", "60"}));
    EXPECT_TRUE(readReport("gone.json").at("problem").get<bool>());
    EXPECT_FALSE(fs::exists(autosave()));
}

}  // namespace
}  // namespace splat
