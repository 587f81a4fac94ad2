#include <splatwright/core/settings.h>

#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/near_names.h>

namespace splat {
namespace {

struct Example {
    std::string mode = setting(&mode, "mode", "plain", {.help = "how", .group = "run"});
    bool loud = setting(&loud, "loud", false, {.help = "how loud", .group = "run"});
    uint32_t steps = setting(&steps, "steps", 100, {.help = "how many", .group = "run", .min = 1, .max = 1000});
    double rate = setting(&rate, "rate", 0.5, {.help = "how fast", .group = "speed", .unit = "things a step", .min = 0});
    glm::vec3 colour = setting(&colour, "colour", {0, 0.25f, 1}, {.help = "which", .group = "look", .min = 0, .max = 1});
};

void set(Example& example, std::string_view name, std::string_view text) {
    const auto fields = settingFields(example);
    setSetting(findSetting(fields, name, "--set"), text, "--set");
}

std::string refusal(std::string_view name, std::string_view text) {
    Example example;
    try {
        set(example, name, text);
    } catch (const InputError& problem) {
        return problem.what();
    }
    return "accepted";
}

TEST(Settings, AreSetFromText) {
    Example e;
    set(e, "mode", "fancy");
    set(e, "loud", "true");
    set(e, "steps", "1000");
    set(e, "rate", "1e-3");
    set(e, "colour", "1,0.5,0");
    EXPECT_EQ(e.mode, "fancy");
    EXPECT_TRUE(e.loud);
    EXPECT_EQ(e.steps, 1000u);
    EXPECT_EQ(e.rate, 1e-3);
    EXPECT_EQ(e.colour, glm::vec3(1, 0.5f, 0));
}

TEST(Settings, RefuseAnotherTypeAndSayWhatWasExpected) {
    EXPECT_EQ(refusal("loud", "yes"), "--set: loud is 'yes', expected true or false");
    EXPECT_EQ(refusal("steps", "1.5"), "--set: steps is '1.5', expected a whole number, 1 to 1000");
    EXPECT_EQ(refusal("rate", "fast"), "--set: rate is 'fast', expected a number, at least 0");
    for (const char* text : {"", "1", "1,1", "1,1,", "1,1,1,1", "1,x,1"}) EXPECT_NE(refusal("colour", text), "accepted") << text;
}

TEST(Settings, RefuseAWordThatIsNotAmongTheChoices) {
    constexpr std::array<std::string_view, 2> kChoices{"plain", "fancy"};
    std::string value = "plain";
    const SettingField field{"mode", &value, Setting{.help = "how", .group = "run", .choices = kChoices}};
    setSetting(field, "fancy", "--set");
    EXPECT_EQ(value, "fancy");
    try {
        setSetting(field, "odd", "--set");
        FAIL() << "accepted";
    } catch (const InputError& problem) {
        EXPECT_STREQ(problem.what(), "--set: mode is 'odd', expected one of plain, fancy");
    }
    EXPECT_EQ(value, "fancy");
    EXPECT_EQ(settingLimits(field), "plain, fancy");
}

TEST(Settings, RefuseWhatIsOutOfRange) {
    for (const char* text : {"0", "1001", "-1", "4294967297"}) EXPECT_NE(refusal("steps", text), "accepted") << text;
    for (const char* text : {"-0.1", "nan", "inf"}) EXPECT_NE(refusal("rate", text), "accepted") << text;
    for (const char* text : {"0,0,1.1", "nan,0,0"}) EXPECT_NE(refusal("colour", text), "accepted") << text;
}

TEST(Settings, NameWhatComesNearAnUnknownName) {
    EXPECT_EQ(refusal("step", "1"), "--set: there is no setting 'step'; near it: steps");
    EXPECT_EQ(refusal("color", "1"), "--set: there is no setting 'color'; near it: colour");
    EXPECT_EQ(refusal("zzzzzzzz", "1"), "--set: there is no setting 'zzzzzzzz'; near it: mode, loud, steps, rate, colour");
}

TEST(NearestNames, AreAtMostFiveByEditDistance) {
    const std::vector<std::string_view> names{"lr_means_final", "lr_means", "lr_scales", "lr_sh0", "lr_sh_rest", "lr_opacities", "seed"};
    using Names = std::vector<std::string_view>;
    EXPECT_EQ(nearestNames(names, "lr_mean"), (Names{"lr_means", "lr_means_final"}));
    EXPECT_EQ(nearestNames(names, "lr"), (Names{"lr_sh0", "lr_means", "lr_scales", "lr_sh_rest", "lr_opacities"}));
    EXPECT_EQ(nearestNames(names, "sede"), (Names{"seed"}));
    EXPECT_EQ(nearestNames(names, "zzzz"), (Names{"seed", "lr_sh0", "lr_means", "lr_scales", "lr_sh_rest"}));
    EXPECT_EQ(nearestNames(names, std::string(100'000, 'z')).size(), 5u);
    EXPECT_EQ(nearestNames({"one"}, "zzzz"), (Names{"one"}));
}

TEST(Settings, SplitAssignmentsAtTheFirstEqualsSign) {
    const Assignment assignment = parseAssignment("mode=a=b", "--set");
    EXPECT_EQ(assignment.key, "mode");
    EXPECT_EQ(assignment.value, "a=b");
    EXPECT_THROW(parseAssignment("mode", "--set"), InputError);
}

TEST(Settings, TextComesBackAsItWas) {
    Example changed{.mode = "x", .loud = true, .steps = 7, .rate = 0.1, .colour = {0.1f, 0.2f, 0.3f}};
    Example copy;
    for (const SettingField& field : settingFields(changed)) set(copy, field.name, settingText(field));
    EXPECT_EQ(settingsToJson(settingFields(copy)), settingsToJson(settingFields(changed)));
}

TEST(Settings, JsonComesBackAsItWas) {
    Example changed{.mode = "x", .loud = true, .steps = 7, .rate = 0.1, .colour = {0.1f, 0.2f, 0.3f}};
    Example copy;
    const auto json = settingsToJson(settingFields(changed));
    EXPECT_EQ(settingsFromJson(settingFields(copy), nlohmann::json::parse(json.dump()), "file").size(), 5u);
    EXPECT_EQ(settingsToJson(settingFields(copy)), json);
    EXPECT_EQ(copy.colour, changed.colour);
}

TEST(Settings, JsonOfAnotherShapeIsRefused) {
    for (const char* text : {"[]", "{\"step\": 1}", "{\"steps\": \"1\"}", "{\"steps\": 0}", "{\"steps\": null}", "{\"loud\": 1}",
                             "{\"mode\": 1}", "{\"colour\": 1}", "{\"colour\": [1, 2]}", "{\"rate\": true}"}) {
        Example e;
        const auto fields = settingFields(e);
        EXPECT_THROW(settingsFromJson(fields, nlohmann::json::parse(text), "file"), InputError) << text;
    }
}

TEST(Settings, HelpTellsUnitAndRange) {
    Example e;
    const auto fields = settingFields(e);
    EXPECT_EQ(settingLimits(findSetting(fields, "mode", "")), "");
    EXPECT_EQ(settingLimits(findSetting(fields, "steps", "")), "1 to 1000");
    EXPECT_EQ(settingLimits(findSetting(fields, "rate", "")), "things a step, at least 0");
}

struct Look {
    static constexpr std::string_view kGroup = "look";

    bool loud = setting(&loud, "loud", true, {.help = "How loud"});
    double size = setting(&size, "size", 2, {.help = "How large", .group = "size"});
};

struct Speed {
    static constexpr std::string_view kGroup = "speed";

    uint32_t steps = setting(&steps, "steps", 3, {.help = "How many"});
};

/// A component whose settings only their owner knows.
struct Parts {
    std::vector<SettingsPart> parts{SettingsPart::byDefault<Speed>()};

    std::vector<SettingField> fields() { return parts[0].fields(); }
};

struct Grouped : SettingGroups<Look, Parts> {};

TEST(SettingGroups, ListTheFieldsOfTheirComponentsInOrderUnderTheirHeadings) {
    Grouped grouped;
    std::vector<std::string> found;
    for (const SettingField& field : settingFields(grouped))
        found.push_back(fmt::format("{}: {}={}", field.about.group, field.name, settingText(field)));
    EXPECT_EQ(found, (std::vector<std::string>{"look: loud=true", "size: size=2", "speed: steps=3"}));
}

TEST(SettingGroups, FieldsPointIntoTheirOwnObject) {
    Grouped first, second = first;
    for (const SettingField& field : settingFields(second)) setSetting(field, field.name == "loud" ? "false" : "7", "test");
    EXPECT_TRUE(first.loud);
    EXPECT_EQ(first.size, 2);
    EXPECT_EQ(first.parts[0].get<Speed>()->steps, 3u);
    EXPECT_FALSE(second.loud);
    EXPECT_EQ(second.size, 7);
    EXPECT_EQ(second.parts[0].get<Speed>()->steps, 7u);
    EXPECT_EQ(second.parts[0].get<Look>(), nullptr);
}

/// Its fields are asked for while those of another struct are recorded.
struct Asking {
    double rate = setting(&rate, "rate", static_cast<double>(askedFields()), {.help = "A rate"});
    double other = setting(&other, "other", 1, {.help = "Another"});

    static size_t askedFields() {
        struct Asked {
            bool flag = setting(&flag, "flag", false, {.help = "A flag"});
        } asked;
        return settingFields(asked).size();
    }
};

TEST(SettingFields, OfOneStructAreNotThoseOfAnotherConstructedMeanwhile) {
    const DescribedSettings<Asking> described;  // first, so that the inner struct's fields are recorded while this one's are
    Asking asking;
    const auto fields = described.recording.fieldsOf(&asking);
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[0].name, "rate");
    EXPECT_EQ(fields[1].name, "other");
    EXPECT_EQ(asking.rate, 1);
}

}  // namespace
}  // namespace splat
