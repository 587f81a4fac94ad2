#include <splatwright/prepare/colmap.h>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/tools.h>
#include "../scene/scratch.h"

namespace splat::prepare {
namespace {

namespace fs = std::filesystem;

/// A program that answers like COLMAP of a version whose feature_extractor has one option more.
fs::path fakeColmap(const test::Scratch& scratch, const std::string& version, const std::string& option) {
    const fs::path file = scratch.write("colmap-" + version,
                                        "#!/bin/bash\n"
                                        "if [[ $1 == help ]]; then\n"
                                        "  echo 'COLMAP " +
                                            version +
                                            " -- Structure-from-Motion and Multi-View Stereo'\n"
                                            "  echo '              (Commit 1 on 2024 without CUDA)'\n"
                                            "  printf '  %s\\n' help feature_extractor mapper\n"
                                            "elif [[ $2 == -h ]]; then\n"
                                            "  printf '  --database_path arg\\n  --" +
                                            option +
                                            " arg (=1)\\n'\n"
                                            "else echo ran \"$@\"; fi\n");
    fs::permissions(file, fs::perms::owner_all);
    return file;
}

std::string argumentsFor(const std::string& version, const std::string& option) {
    const test::Scratch scratch;
    Observer observer;
    const Colmap colmap(fakeColmap(scratch, version, option), scratch.path() / "log", observer);
    EXPECT_EQ(colmap.version(), version);
    EXPECT_FALSE(colmap.usesGpu());
    EXPECT_TRUE(colmap.hasCommand("mapper"));
    EXPECT_FALSE(colmap.hasCommand("global_mapper"));
    const auto result = colmap.run(
        "feature_extractor",
        {{{"database_path"}, "a b.db", true}, {{"SiftExtraction.use_gpu", "FeatureExtraction.use_gpu"}, "0"}, {{"Unknown.option"}, "1"}});
    EXPECT_TRUE(result.succeeded());
    EXPECT_NE(readTextFile(scratch.path() / "log").find("$ "), std::string::npos);
    return result.lastLines;
}

TEST(Colmap, OptionsHaveTheNamesOfTheVersion) {
    EXPECT_EQ(argumentsFor("3.8", "SiftExtraction.use_gpu"), "ran feature_extractor --database_path a b.db --SiftExtraction.use_gpu 0");
    EXPECT_EQ(argumentsFor("4.0.4", "FeatureExtraction.use_gpu"),
              "ran feature_extractor --database_path a b.db --FeatureExtraction.use_gpu 0");
    EXPECT_EQ(argumentsFor("9.9", "Other.thing"), "ran feature_extractor --database_path a b.db");
}

TEST(Colmap, AnOptionThatIsNeededAndMissingIsAnError) {
    const test::Scratch scratch;
    Observer observer;
    const Colmap colmap(fakeColmap(scratch, "3.8", "x"), {}, observer);
    EXPECT_THROW(colmap.run("mapper", {{{"no_such_option"}, "1", true}}), Error);
}

TEST(Colmap, AnotherProgramIsRefused) {
    Observer observer;
    EXPECT_THROW(Colmap("/bin/true", {}, observer), Error);
}

TEST(Colmap, HelpIsSearchedForOptionsAndVersion) {
    EXPECT_EQ(optionsInHelp("--a arg -- --Sift.b_c arg (=--d)\n-h [ --help ]"), (std::set<std::string>{"a", "Sift.b_c", "d", "help"}));
    EXPECT_TRUE(optionsInHelp("").empty());
    EXPECT_TRUE(optionsInHelp("--").empty());
    EXPECT_EQ(versionInHelp("COLMAP 3.12.0.dev1 -- x"), "3.12.0.dev1");
    EXPECT_EQ(versionInHelp("nothing"), "");
}

TEST(Tools, AMissingOneNamesThePackages) {
    const char* before = std::getenv("PATH");
    const std::string path = before ? before : "";
    setenv("PATH", "/does/not/exist", 1);
    std::string message;
    try {
        requireTool("colmap");
    } catch (const Error& error) {
        message = error.what();
    }
    setenv("PATH", path.c_str(), 1);
    for (const char* part : {"colmap: not found", "apt-get install colmap", "brew install colmap", "Windows: https://"})
        EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
    test::expectInputError([] { requireTool("colmap", "/does/not/exist"); }, {"/does/not/exist", "expected the path of colmap"});
}

}  // namespace
}  // namespace splat::prepare
