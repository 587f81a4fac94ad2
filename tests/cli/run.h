#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/file.h>
#include "../scene/scratch.h"
#ifdef _WIN32
#include "run_windows.h"
#else
#include "run_posix.h"
#endif

namespace splat::test {

namespace fs = std::filesystem;
using nlohmann::json;

/// The device and the features that the other tests take (tests/support/test_device.h).
inline std::vector<std::string> deviceArguments() {
    std::vector<std::string> arguments;
    if (const char* device = std::getenv("SPLAT_DEVICE")) arguments.insert(arguments.end(), {"--device", device});
    const char* disabled = std::getenv("SPLAT_DISABLE");
    std::stringstream names(disabled ? disabled : "");
    for (std::string name; std::getline(names, name, ',');) arguments.insert(arguments.end(), {"--disable", name});
    if (const char* profile = std::getenv("SPLAT_PROFILE")) arguments.insert(arguments.end(), {"--profile", profile});
    return arguments;
}

/// Runs the binary as a process of its own.
inline Outcome splatwright(Arguments arguments, const RunOptions& options = {}) {
    const Scratch scratch;
    const auto device = options.choosesDevice ? std::vector<std::string>{} : deviceArguments();
    arguments.insert(arguments.end(), device.begin(), device.end());
    const char* validates = std::getenv("SPLAT_VALIDATE");
    if (validates && std::string_view(validates) == "0") std::erase(arguments, "--validate");  // Wine has no layers
    return runIn(scratch.path(), std::move(arguments), options);
}

inline void expectParts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in:\n" << text;
}

/// The run fails with this code and says all of this on standard error.
inline void expectFailure(const Outcome& outcome, int code, const std::vector<std::string>& parts) {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    expectParts(outcome.err, parts);
}

inline void expectSuccess(const Outcome& outcome) { EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err; }

/// The lines of a run's log.jsonl.
inline std::vector<json> logOf(const fs::path& folder) {
    std::vector<json> lines;
    std::istringstream text(readTextFile(folder / "log.jsonl"));
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
}

inline json metricsOf(const fs::path& folder) { return json::parse(readTextFile(folder / "metrics.json")); }

/// A dataset of a few tiny views below the scratch folder, a copy of one that is made once per process and size.
inline fs::path tinyDataset(const Scratch& scratch, const std::string& name = "data", const std::string& size = "32x24") {
    static const Scratch originals;
    const fs::path original = originals.path() / size, path = scratch.path() / name;
    if (!fs::exists(original)) expectSuccess(splatwright({"synth", original, "--views", "6", "--size", size, "-q"}));
    fs::create_directories(path.parent_path());
    fs::copy(original, path, fs::copy_options::recursive);
    return path;
}

}  // namespace splat::test
