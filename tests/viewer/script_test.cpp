#include "viewer/script/script.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include "viewer/actions/action_tables.h"
#include "viewer/actions/actions.h"
#include "viewer/actions/arguments.h"
#include "viewer/files/recent_files.h"
#include "viewer/files/remembered.h"
#include "viewer/files/written_files.h"
#include "viewer/scene/mode_ranges.h"
#include "viewer/scene/selecting.h"
#include "viewer/scene/shape_settings.h"
#include "viewer/scene/view_image.h"
#include "viewer/scene/workspace.h"
#include "viewer/widgets/grouped.h"
#include "viewer/widgets/plot.h"
#include "viewer/window/scripted_pointer.h"

namespace splat::app {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct Scratch : testing::Test {
    Scratch() { fs::create_directories(folder); }
    ~Scratch() override { fs::remove_all(folder); }
    const fs::path folder =
        fs::temp_directory_path() / ("splat_viewer_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                                     ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST(Script, WordsAreSeparatedBySpacesAndKeptTogetherByQuotationMarks) {
    EXPECT_EQ(scriptWords("open  \"a b.ply\"\tx"), (Words{"open", "a b.ply", "x"}));
    EXPECT_EQ(scriptWords("  # only a comment"), Words{});
    EXPECT_EQ(scriptWords("set a \"\" # b"), (Words{"set", "a", ""}));
    EXPECT_THROW(scriptWords("open \"a"), InputError);
}

using ScriptFile = Scratch;
TEST_F(ScriptFile, KeepsTheNumbersOfItsLines) {
    std::ofstream(folder / "s.txt") << "# first\n\norbit 1 2\r\nquit";
    const auto lines = readScript(folder / "s.txt");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].number, 3u);
    EXPECT_EQ(lines[0].arguments, (Words{"1", "2"}));
    EXPECT_EQ(lines[1].action, "quit");
}

TEST_F(ScriptFile, SaysWhichLinesMayFail) {
    std::ofstream(folder / "s.txt") << "try open x\nquit";
    const auto lines = readScript(folder / "s.txt");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_TRUE(lines[0].tries);
    EXPECT_EQ(lines[0].action, "open");
    EXPECT_EQ(lines[0].arguments, Words{"x"});
    EXPECT_FALSE(lines[1].tries);
}

TEST_F(ScriptFile, WithoutALineIsRefused) {
    for (const char* text : {"", "\n\n", "# nothing"}) {
        std::ofstream(folder / "s.txt") << text;
        EXPECT_THROW(readScript(folder / "s.txt"), InputError) << text;
    }
}

TEST_F(ScriptFile, NamesTheLineOfAMistake) {
    std::ofstream(folder / "s.txt") << "quit\nopen \"x\n";
    try {
        readScript(folder / "s.txt");
        FAIL();
    } catch (const InputError& problem) {
        EXPECT_NE(std::string(problem.what()).find("s.txt:2: "), std::string::npos) << problem.what();
    }
    EXPECT_THROW(readScript(folder / "none.txt"), InputError);
}

TEST(Arguments, SayWhatIsMissingWrongOrTooMuch) {
    const auto problem = [](Words words, auto&& use) -> std::string {
        Arguments a("orbit", std::move(words));
        try {
            use(a);
            a.finish();
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    const auto number = [](Arguments& a) { a.number("the turn"); };
    EXPECT_EQ(problem({"1.5e2"}, number), "");
    EXPECT_EQ(problem({}, number), "orbit: the turn is missing");
    EXPECT_EQ(problem({"1x"}, number), "orbit: the turn is '1x', expected a number");
    EXPECT_EQ(problem({"1", "2"}, number), "orbit: '2' is one word too many");
    EXPECT_EQ(problem({"-1"}, [](Arguments& a) { a.count("frames"); }), "orbit: frames is '-1', expected a whole number from 0 to 1000000");
    for (const char* word : {"nan", "-nan", "inf", "-inf", "1e300", "-1e300", "1e999"}) EXPECT_NE(problem({word}, number), "") << word;
    EXPECT_EQ(problem({"3"}, [](Arguments& a) { a.number("the part", 0, 1); }), "orbit: the part is '3', expected a number from 0 to 1");
    EXPECT_EQ(problem({"0"}, [](Arguments& a) { a.count("frames", 1, 9); }), "orbit: frames is '0', expected a whole number from 1 to 9");
}

TEST(Actions, HaveNamesAndKeysOfTheirOwn) {
    for (const Action& a : actionTable()) {
        EXPECT_EQ(&actionByName(a.name), &a);
        EXPECT_TRUE(*a.chord == '\0' || actionOfChord(a.chord) == &a) << a.chord;
        EXPECT_STRNE(a.help, "") << a.name;
    }
    EXPECT_THROW(actionByName("jump"), InputError);
    EXPECT_EQ(actionOfChord("Ctrl+Alt+J"), nullptr);
    EXPECT_EQ(actionOfChord(""), nullptr);
}

TEST(ActionTables, HaveEveryKeyAndEveryLineOnce) {
    const std::string page = withActionTables("<!-- splatwright_documents keys -->\nstale row\n<!-- end of keys -->\n");
    const std::string script = withActionTables("<!-- splatwright_documents lines -->\n<!-- end of lines -->\n");
    const auto times = [](const std::string& text, const std::string& part) {
        size_t count = 0;
        for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
        return count;
    };
    for (const Action& a : actionTable()) {
        const std::string line = std::string("| `") + a.name;
        EXPECT_EQ(times(script, line + "`") + times(script, line + " "), 1u) << a.name;
        if (*a.chord != '\0') {
            EXPECT_EQ(times(page, std::string("| `") + a.chord + "` | " + a.help + " |"), 1u) << a.name;
        }
    }
    EXPECT_EQ(page.find("stale row"), std::string::npos);
}

TEST(ActionTables, StandBetweenTheirMarksAndChangeNothingElse) {
    const std::string text = "before\n<!-- splatwright_documents keys -->\n<!-- end of keys -->\nafter\n", filled = withActionTables(text);
    EXPECT_TRUE(filled.starts_with("before\n<!-- splatwright_documents keys -->\n| key |")) << filled;
    EXPECT_TRUE(filled.ends_with("|\n<!-- end of keys -->\nafter\n")) << filled;
    EXPECT_EQ(withActionTables(filled), filled);
    EXPECT_EQ(withActionTables("nothing\n"), "nothing\n");
    EXPECT_THROW(withActionTables("<!-- splatwright_documents words -->\n<!-- end of words -->\n"), InputError);
    EXPECT_THROW(withActionTables("<!-- splatwright_documents keys -->\n"), InputError);
}

/// Renewed by `splatwright_documents --tables FILE...`.
TEST(ActionTables, OfTheDocumentsAreUpToDate) {
    const std::filesystem::path viewer = std::filesystem::path(SPLAT_SHADERS).parent_path() / "app/viewer";
    for (const auto& [folder, table] : {std::pair("", "keys"), {"script", "lines"}}) {
        const std::string text = readTextFile(viewer / folder / "README.md");
        EXPECT_NE(text.find(std::string("<!-- splatwright_documents ") + table), std::string::npos) << table;
        EXPECT_EQ(withActionTables(text), text) << table;
    }
}

TEST(ScriptedPointer, IsLeftAloneUntilItIsMoved) {
    ScriptedPointer pointer;
    EXPECT_FALSE(pointer.next());
    pointer.move({3, 4});
    EXPECT_TRUE(pointer.moving());
    EXPECT_EQ(pointer.next()->position, glm::vec2(3, 4));
}

TEST(ScriptedPointer, ADragPressesMovesAndReleases) {
    ScriptedPointer pointer;
    pointer.drag({0, 0}, {80, 40}, 1);
    std::vector<Pointer> seen;
    while (pointer.moving()) seen.push_back(*pointer.next());
    EXPECT_FALSE(seen.front().buttons[1]);
    EXPECT_FALSE(seen.back().buttons[1]);
    EXPECT_EQ(seen.back().position, glm::vec2(80, 40));
    size_t pressed = 0;
    for (size_t i = 1; i < seen.size(); ++i) {
        pressed += seen[i].buttons[1];
        EXPECT_GE(seen[i].position.x, seen[i - 1].position.x);
        EXPECT_FALSE(seen[i].buttons[0]);
    }
    EXPECT_GE(pressed, 4u);
    EXPECT_EQ(pointer.next()->position, glm::vec2(80, 40));  // it stays there
}

TEST(Actions, KeepTheirNamesOfEarlierScripts) {
    const std::vector<std::pair<std::string, std::string>> names{{"picture", "render_mode"},     {"next_picture", "next_render_mode"},
                                                                 {"photograph", "ground_truth"}, {"reload", "reload_shaders"},
                                                                 {"panels", "toggle_ui"},        {"turn_model", "rotate_model"}};
    for (const auto& [before, now] : names) {
        EXPECT_EQ(actionByName(before).name, now);
        EXPECT_EQ(&actionByName(now), &actionByName(before));
    }
    EXPECT_THROW(actionByName("no_such_action"), InputError);
}

TEST(Plots, ThePointUnderThePointerIsTheNearest) {
    const std::vector<uint32_t> steps{10, 20, 40, 80, 160};
    for (size_t i = 0; i < steps.size(); ++i)
        for (const double off : {-4.9, 0.0, 4.9}) EXPECT_EQ(nearestPoint(steps, steps[i] + off), i) << steps[i] + off;
    EXPECT_EQ(nearestPoint(steps, -1e9), 0u);
    EXPECT_EQ(nearestPoint(steps, 1e9), 4u);
    EXPECT_EQ(nearestPoint(steps, 61), 3u);
    EXPECT_EQ(nearestPoint(std::vector<uint32_t>{7}, 3), 0u);
}

/// A plot that is thinned for its pixels looks the same: no peak is left out, nothing is drawn twice, and the ends stay.
TEST(Plots, AreThinnedToTheirPixels) {
    std::vector<float> values(1000);
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 7919) % 1009);
    for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{99}, size_t{100}, size_t{101}, size_t{250}, size_t{997}})
        for (const size_t first : {size_t{0}, size_t{3}}) {
            const size_t columns = 50;
            const std::vector<size_t> drawn = drawnPoints(values, first, count, columns);
            EXPECT_LE(drawn.size(), 2 * columns + 2) << count;
            EXPECT_EQ(std::ranges::adjacent_find(drawn, std::greater_equal()), drawn.end()) << count;
            if (count == 0) {
                EXPECT_TRUE(drawn.empty());
                continue;
            }
            EXPECT_EQ(drawn.front(), first);
            EXPECT_EQ(drawn.back(), first + count - 1);
            const size_t column = count / columns + 1;
            for (size_t begin = first; begin < first + count; begin += column) {
                const size_t end = std::min(begin + column, first + count);
                for (const bool highest : {false, true}) {
                    const auto worse = [&](size_t a, size_t b) { return highest ? values[a] < values[b] : values[a] > values[b]; };
                    size_t peak = begin;
                    for (size_t i = begin; i < end; ++i)
                        if (worse(peak, i)) peak = i;
                    EXPECT_TRUE(std::ranges::binary_search(drawn, peak)) << count << ", column from " << begin;
                }
            }
        }
}

TEST(Counts, HaveSeparatorsBetweenThousands) {
    const std::vector<std::pair<uint64_t, std::string>> counts{
        {0, "0"}, {999, "999"}, {1000, "1,000"}, {999999, "999,999"}, {1234567, "1,234,567"}, {1000000000, "1,000,000,000"}};
    for (const auto& [count, text] : counts) EXPECT_EQ(grouped(count), text);
}

TEST(MessageLog, KeepsTheNewestMessagesOfEveryThreadWithLevelAndTime) {
    MessageLog log;
    std::thread([] { spdlog::warn("of another\x01 thread"); }).join();
    log.add(spdlog::level::info, "Something is SAVED");
    const auto all = log.matching("", false);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].level, spdlog::level::warn);
    EXPECT_EQ(all[0].text, "of another\\x01 thread");
    EXPECT_EQ(log.matching("is saved", false).size(), 1u);
    EXPECT_EQ(log.matching("info", false).size(), 1u) << "the level is a part of the line";
    EXPECT_EQ(log.matching("", true).size(), 1u);
    EXPECT_TRUE(std::regex_match(lineOf(all[1]), std::regex("[0-9]{2}:[0-9]{2}:[0-9]{2} info Something is SAVED"))) << lineOf(all[1]);
    for (int i = 0; i < 2000; ++i) log.add(spdlog::level::info, std::to_string(i));
    ASSERT_EQ(log.matching("", false).size(), 1000u);
    EXPECT_EQ(log.matching("", false).back().text, "1999");
    log.clear();
    EXPECT_TRUE(log.matching("", false).empty());
}

TEST(MessageLog, ThatIsGoneIsWrittenToNoMore) {
    const size_t sinks = spdlog::default_logger()->sinks().size();
    { const MessageLog log; }
    EXPECT_EQ(spdlog::default_logger()->sinks().size(), sinks);
}

TEST(WrittenFiles, AreThoseThatTheirNamesPromise) {
    for (const char* name : {"a.ply", "A.PLY", "folder.spz/b.Ply", "two.dots.ply"}) EXPECT_TRUE(endsIn(name, ".ply")) << name;
    for (const char* name : {"a.spz", "a.sog", "a.png", "a", "ply", "a.ply.spz", "a.compressed.ply", "A.COMPRESSED.PLY"})
        EXPECT_FALSE(endsIn(name, ".ply")) << name;
    EXPECT_TRUE(endsIn("A.COMPRESSED.PLY", ".compressed.ply"));
    EXPECT_NO_THROW(expectEnding("a.PNG", kPng));
    EXPECT_THROW(expectEnding("a.jpg", kPng), InputError);
}

TEST(Notices, GoAfterAWhileAndProblemsLater) {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    EXPECT_TRUE((Notice{.text = "a", .since = now}).isFresh());
    EXPECT_FALSE((Notice{.text = "", .since = now}).isFresh());
    EXPECT_FALSE((Notice{.text = "a", .since = now - 11}).isFresh());
    EXPECT_TRUE((Notice{.text = "a", .problem = true, .since = now - 11}).isFresh());
    EXPECT_FALSE((Notice{.text = "a", .problem = true, .since = now - 61}).isFresh());
}

TEST(Selecting, ShapesFollowTheToolAndTooLittleIsNothing) {
    Selecting s;
    s.tool = Tool::rectangle;
    s.begin({1, 2});
    EXPECT_FALSE(s.end({}));
    s.begin({1, 2});
    s.move({50, 60});
    s.move({70, 80});
    const auto shape = s.end({});
    ASSERT_TRUE(shape && std::holds_alternative<ScreenRectangle>(*shape));
    EXPECT_EQ(std::get<ScreenRectangle>(*shape).high, glm::vec2(70, 80));
    EXPECT_FALSE(s.drawing());
    s.tool = Tool::lasso;
    s.begin({0, 0});
    s.move({10, 0});
    EXPECT_FALSE(s.end({}));
    s.tool = Tool::brush;
    s.begin({5, 5});
    EXPECT_TRUE(std::holds_alternative<ScreenStroke>(*s.end({})));
}

TEST(Selecting, APolygonClosesAtItsFirstCornerOrByADoubleClick) {
    for (const bool doubleClick : {false, true}) {
        Selecting s;
        s.tool = Tool::polygon;
        for (const glm::vec2 corner : {glm::vec2(10, 10), {90, 10}, {90, 80}}) EXPECT_FALSE(s.addCorner(corner, 4));
        EXPECT_TRUE(s.addCorner(doubleClick ? glm::vec2(91, 80) : glm::vec2(11, 12), 4));
        const auto shape = s.end({});
        ASSERT_TRUE(shape && std::holds_alternative<ScreenPolygon>(*shape));
        EXPECT_EQ(std::get<ScreenPolygon>(*shape).points.size(), 3u) << "the click that closes is no corner";
        EXPECT_FALSE(s.drawing());
    }
    Selecting s;
    s.tool = Tool::polygon;
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(s.addCorner({5, 5}, 4)) << "one corner is no polygon";
    EXPECT_FALSE(s.end({}));
}

TEST(Shapes, HandlesMoveTurnAndScaleThem) {
    ShapeSettings shapes;
    shapes.centre = {1, 2, 3};
    shapes.radius = 0.5F;
    shapes.halfSize = {1, 2, 4};
    EXPECT_EQ(shapes.pose(Tool::sphere).scale, 0.5);
    ModelTransform pose = shapes.pose(Tool::box);
    EXPECT_EQ(pose.scale, 4);
    pose.scale = 8;
    pose.translation = {0, 0, 9};
    pose.rotation = glm::angleAxis(0.5, glm::dvec3(0, 1, 0));
    shapes.setPose(Tool::box, pose);
    EXPECT_EQ(shapes.halfSize, glm::vec3(2, 4, 8)) << "its sides keep their ratios";
    EXPECT_EQ(shapes.radius, 0.5F);
    EXPECT_EQ(shapes.pose(Tool::box), pose);
    pose = shapes.pose(Tool::sphere);
    pose.scale = 3;
    shapes.setPose(Tool::sphere, pose);
    EXPECT_EQ(shapes.radius, 3);
    EXPECT_EQ(shapes.halfSize, glm::vec3(2, 4, 8));
    EXPECT_TRUE(std::holds_alternative<WorldSphere>(shapes.shapeOf(Tool::sphere)));
    EXPECT_TRUE(std::holds_alternative<WorldBox>(shapes.shapeOf(Tool::box)));
}

TEST(ModeRanges, AreLockedPerRenderModeAndElseShared) {
    ModeRanges ranges;
    RenderSettings s;
    const auto show = [&](const char* mode) {
        s.picture = mode;
        ranges.follow(s);
        return std::tuple(s.autoRange, s.rangeLow, s.rangeHigh);
    };
    EXPECT_EQ(show("depth"), std::tuple(true, 0, 1));
    ranges.lock(s, {2, 9});
    EXPECT_EQ(show("depth"), std::tuple(false, 2, 9));
    EXPECT_EQ(show("alpha"), std::tuple(true, 0, 1));
    s.autoRange = false;  // as a script sets it
    s.rangeHigh = 5;
    EXPECT_EQ(show("splats"), std::tuple(false, 0, 5)) << "for every mode without a lock";
    EXPECT_EQ(show("depth"), std::tuple(false, 2, 9));
    s.rangeHigh = 11;
    EXPECT_EQ(show("alpha"), std::tuple(false, 0, 5));
    EXPECT_EQ(show("depth"), std::tuple(false, 2, 11));
    ranges.unlock(s);
    EXPECT_EQ(show("depth"), std::tuple(true, 0, 5));
}

using Recent = Scratch;
TEST_F(Recent, FilesAreKeptNewestFirstAndOnlyOnce) {
    RecentFiles recent(folder / "a" / "recent");
    for (int i = 0; i < 20; ++i) recent.add(folder / std::to_string(i));
    recent.add(folder / "15");
    const RecentFiles again(folder / "a" / "recent");
    ASSERT_EQ(again.paths().size(), 12u);
    EXPECT_EQ(again.paths()[0], folder / "15");
    EXPECT_EQ(again.paths()[1], folder / "19");
    EXPECT_EQ(std::ranges::count(again.paths(), folder / "15"), 1);
}

TEST_F(Recent, AListThatCannotBeWrittenHurtsNobody) {
    std::ofstream(folder / "file") << "x";
    RecentFiles recent(folder / "file" / "recent");
    recent.add("a");
    EXPECT_EQ(recent.paths().size(), 1u);
}

using Memory = Scratch;
TEST_F(Memory, ReadsWhatItHasWritten) {
    const Remembered all{.layout = "[Docking][Data]\nDockSpace 1\n",
                         .scale = 2,
                         .panels = {{"Models", false}, {"GPU", true}},
                         .window = WindowPlace{.position = {-5, 20}, .size = {800, 600}, .maximised = true},
                         .renderMode = "depth",
                         .tool = "lasso",
                         .brush = 12,
                         .allModels = true,
                         .fly = true,
                         .legend = false,
                         .openFolder = "/a b",
                         .saveFolder = "/c"};
    writeRemembered(folder / "new" / "viewer.json", all);
    EXPECT_EQ(readRemembered(folder / "new" / "viewer.json"), all);
    EXPECT_EQ(readRemembered(folder / "none.json"), Remembered());
    EXPECT_EQ(readRemembered({}), Remembered());
}

TEST_F(Memory, RefusesWhatItHasNotWritten) {
    const fs::path file = folder / "viewer.json";
    writeRemembered(file, {});
    const std::string good = readTextFile(file);
    const auto refuses = [&](const std::string& from, const std::string& to) {
        const size_t place = good.find(from);
        ASSERT_NE(place, std::string::npos) << from;
        std::ofstream(file) << std::string(good).replace(place, from.size(), to);
        EXPECT_THROW(readRemembered(file), InputError) << to;
    };
    refuses("\"version\": 1", "\"version\": 2");
    refuses("\"version\": 1,", "");
    refuses("\"tool\": \"navigate\"", "\"tool\": 3");
    refuses("\"scale\": 1.0", "\"scale\": 0");
    refuses("\"scale\": 1.0", "\"scale\": null");
    refuses("\"brush\": 30.0", "\"brush\": 1e9");
    refuses("}", "");
}

TEST(Tools, HaveNames) {
    for (const Tool tool :
         {Tool::navigate, Tool::rectangle, Tool::brush, Tool::lasso, Tool::polygon, Tool::eyedropper, Tool::flood, Tool::sphere, Tool::box})
        EXPECT_EQ(toolByName(nameOf(tool)), tool);
    EXPECT_EQ(nameOf(Tool::box), "box");
    EXPECT_THROW(toolByName("hammer"), InputError);
}

TEST(Resampled, KeepsWhatIsConstantAndRampsStayRamps) {
    Image8 image(9, 5, 3);
    for (int x = 0; x < 9; ++x)
        for (int y = 0; y < 5; ++y) image.at(x, y)[1] = static_cast<uint8_t>(x * 20);
    for (const auto& [width, height] : {std::pair(18, 10), std::pair(4, 3), std::pair(20, 2), std::pair(9, 5)}) {
        const Image8 other = resampled(image, width, height);
        for (int y = 0; y < height; ++y) {
            for (int x = 1; x < width; ++x) {
                EXPECT_GE(other.at(x, y)[1], other.at(x - 1, y)[1]);
                EXPECT_EQ(other.at(x, y)[0], 0);
                EXPECT_NEAR(other.at(x, y)[1], std::clamp(((x + 0.5) * 9 / width - 0.5) * 20, 0.0, 160.0), width < 9 ? 12 : 1.01);
            }
        }
    }
}

}  // namespace
}  // namespace splat::app
