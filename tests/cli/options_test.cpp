// Every option of every command, as CLI11 has them: what takes a number says its range and holds to it.
#include <cmath>
#include <limits>
#include <regex>
#include <set>
#include <sstream>

#include <CLI/CLI.hpp>

#include <splatwright/core/settings.h>
#include <splatwright/render/forward.h>
#include <splatwright/train/densify/densifier.h>
#include <splatwright/train/settings/setting_limits.h>
#include <splatwright/train/settings/settings.h>
#include "../scene/format_samples.h"
#include "commands/command_line.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

/// What --help calls the values of options that take a name or a path; the values of all others are numbers.
const std::set<std::string> kTexts{"",        "INDEX|NAME", "NAME",   "FEATURE", "FILE",    "FILE.json", "NAME|FILE",        "DIR",
                                   "DATA",    "KEY=VALUE",  "OUT",    "WEIGHTS", "DATASET", "PATH",      "NAME NAME METRES", "IN... OUT",
                                   "FROM,TO", "BOX",        "ADDRESS"};

/// No option that takes numbers takes one of these.
const std::vector<std::string> kNoNumbers{
    "",           " ",        "word", "nan",   "inf",    "-inf",    "-1",        "1e10",
    "1e300",      "1 ",       " 1",   "1x",    "0x10",   "1,",      ",1",        "1.5",
    "+1",         "--",       "0,0",  "1,,1",  "0,0,0x", "nan,0,0", "0,0,inf",   "1e300,0,0",
    "-1e300,0,0", "1,1,1,1x", "0x0",  "1e9x1", "5x",     "-5x5",    "8193x8193", "99999999999999999999999",
};

struct ListedOption {
    std::string command;  ///< none: a global option
    std::string name, type, help;

    bool takesNumbers() const { return !kTexts.contains(type); }
};

void list(const CLI::App& app, const std::string& command, std::vector<ListedOption>& options) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0) continue;  // a flag
        const std::string type = option->get_type_name();
        options.push_back({command, option->get_positional() ? "" : "--" + option->get_lnames().front(), type, option->get_description()});
    }
}

std::vector<ListedOption> listedOptions() {
    app::CommandLine line;
    std::vector<ListedOption> options;
    list(line.app(), "", options);
    for (const CLI::App* command : line.app().get_subcommands({})) {
        list(*command, command->get_name(), options);
        for (const CLI::App* part : command->get_subcommands({})) list(*part, command->get_name() + " " + part->get_name(), options);
    }
    return options;
}

/// What is said of the value; nothing where it is taken.
std::string refusal(const ListedOption& option, const std::string& value) {
    app::CommandLine line;
    Arguments words{"splatwright"};
    std::istringstream command(option.command.empty() ? "info" : option.command);
    for (std::string word; command >> word;) words.push_back(word);
    if (!option.name.empty()) words.push_back(option.name);
    words.push_back(value);
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    try {
        line.app().parse(static_cast<int>(pointers.size()), pointers.data());
    } catch (const InputError& problem) {
        return problem.what();
    } catch (const CLI::RequiredError&) {  // of the command's arguments, which comes after the values
    } catch (const CLI::ParseError& problem) {
        return fmt::format("CLI11 says: {}", problem.what());
    }
    return "";
}

TEST(Options, NumbersSayTheirRangeAndRefuseWhatIsNone) {
    const std::regex range("[0-9]+ to [0-9]+");
    size_t numbers = 0;
    for (const ListedOption& option : listedOptions()) {
        if (!option.takesNumbers()) continue;
        SCOPED_TRACE(option.command + " " + option.name);
        ++numbers;
        EXPECT_TRUE(std::regex_search(option.help, range) || option.type.find('|') != std::string::npos) << option.help;
        for (const std::string& value : kNoNumbers) {
            if (option.type == "X" && value == "1.5") continue;              // a decimal number is one
            const bool list = option.type.ends_with("...");                  // says which of the numbers
            if ((list || option.type == "X,Y") && value == "0,0") continue;  // two numbers
            const std::string said = refusal(option, value);
            EXPECT_TRUE(said.starts_with(option.name + ": ")) << "'" << value << "': " << said;
            expectParts(said, {list ? "found '" : "'" + value + "'", "expected"});
        }
    }
    EXPECT_GE(numbers, 20u);
}

/// A number that calls its value NAME would escape the test above.
TEST(Options, TextsAreNoNumbers) {
    for (const ListedOption& option : listedOptions()) {
        if (option.takesNumbers()) continue;
        SCOPED_TRACE(option.command + " " + option.name);
        const std::string word = refusal(option, "word");
        EXPECT_FALSE(word.starts_with("CLI11")) << word;
        EXPECT_TRUE(word.empty() || !refusal(option, "1").empty()) << word;
    }
}

TEST(Options, EndsOfARangeAreTakenAndWhatIsBeyondIsNot) {
    const std::regex range("([0-9]+) to ([0-9]+)\\)$");
    size_t ranges = 0;
    for (const ListedOption& option : listedOptions()) {
        std::smatch found;
        const bool single = std::set<std::string>{"N", "S", "MiB", "N,..."}.contains(option.type);
        if (!single || !std::regex_search(option.help, found, range)) continue;
        SCOPED_TRACE(option.command + " " + option.name);
        ++ranges;
        const uint64_t low = std::stoull(found[1]), high = std::stoull(found[2]);
        EXPECT_EQ(refusal(option, found[1]), "");
        EXPECT_EQ(refusal(option, found[2]), "");
        EXPECT_NE(refusal(option, low == 0 ? "-1" : std::to_string(low - 1)), "");
        EXPECT_NE(refusal(option, high == UINT64_MAX ? "18446744073709551616" : std::to_string(high + 1)), "");
    }
    EXPECT_GE(ranges, 15u);
}

/// Numbers of settings, whichever way they come: options, --set, files and checkpoints.
TEST(Options, EveryNumberAmongTheSettingsHasARange) {
    size_t numbers = 0;
    for (const DensifierRow* row : densifierTable()) {
        TrainSettings settings = defaultsOf(row->name);
        for (const SettingField& field : settingFields(settings)) {
            const bool whole = std::holds_alternative<uint32_t*>(field.value);
            if (!whole && !std::holds_alternative<double*>(field.value)) continue;
            SCOPED_TRACE(field.name);
            ++numbers;
            const auto [low, high] = std::pair(field.about.min, field.about.max);
            ASSERT_GE(low, 0);
            ASSERT_TRUE(std::isfinite(static_cast<float>(high)) && high > low) << high;
            EXPECT_NE(settingLimits(field).find(" to "), std::string::npos) << settingLimits(field);
            const auto takes = [&](const std::string& text) {
                try {
                    setSetting(field, text, "--set");
                    return true;
                } catch (const InputError& problem) {
                    expectParts(problem.what(), {"--set: ", std::string(field.name), "'" + text + "'", "expected"});
                    return false;
                }
            };
            EXPECT_TRUE(takes(settingText(field))) << "the default of " << row->name;
            const auto text = [&](double value) { return whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value); };
            for (const double value : {low, high}) EXPECT_TRUE(takes(text(value))) << value;
            const double above = whole ? high + 1 : std::nextafter(high, std::numeric_limits<double>::infinity());
            for (const std::string& bad : {text(above), std::string("-1"), std::string("-1e-9"), std::string("nan"), std::string("inf"),
                                           std::string("1e300"), std::string("1099511627776"), std::string(), text(low) + "x"})
                EXPECT_FALSE(takes(bad)) << bad;
        }
    }
    EXPECT_GE(numbers, 100u);
    EXPECT_EQ(kMostSplats, FrameCapacity::kMostTrained);
}

TEST(Options, ACaptureOfNoViewIsRefused) {
    const Scratch scratch;
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content);
    expectFailure(splatwright({"render", splats, "-o", scratch.path() / "out", "--orbit", "2", "--capture", "3"}), 2,
                  {"--capture", "found 3", "1 to 2"});
    EXPECT_FALSE(fs::exists(scratch.path() / "out"));
}

}  // namespace
}  // namespace splat
