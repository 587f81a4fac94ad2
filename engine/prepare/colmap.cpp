#include <splatwright/prepare/colmap.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include <splatwright/core/error.h>
#include <splatwright/core/names.h>
#include <splatwright/core/platform/machine.h>

namespace splat::prepare {

namespace fs = std::filesystem;

namespace {

bool isOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

std::set<std::string> wordsOf(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

}  // namespace

std::set<std::string> optionsInHelp(std::string_view help) {
    std::set<std::string> found;
    for (size_t at = 0; (at = help.find("--", at)) != std::string_view::npos;) {
        at += 2;
        const auto end = std::find_if_not(help.begin() + static_cast<std::ptrdiff_t>(at), help.end(), isOfName);
        if (end != help.begin() + static_cast<std::ptrdiff_t>(at)) found.emplace(help.begin() + static_cast<std::ptrdiff_t>(at), end);
    }
    return found;
}

std::string versionInHelp(std::string_view help) {
    const size_t at = help.find("COLMAP ");
    if (at == std::string_view::npos) return {};
    std::string version;
    for (const char c : help.substr(at + 7)) {
        if (!isOfName(c)) break;
        version += c;
    }
    return version;
}

Colmap::Colmap(fs::path program, fs::path log, Observer& observer)
    : program_(std::move(program)), log_(std::move(log)), observer_(observer) {
    const std::string help = helpOf({"help"});
    version_ = versionInHelp(help);
    commands_ = wordsOf(help);
    if (version_.empty() || !hasCommand("feature_extractor"))
        throw Error("{}: its help names no version and commands of COLMAP, expected COLMAP 3.8 or newer", program_.string());
    gpu_ = platform::hasCudaDriver() && help.find("with CUDA") != std::string::npos;
}

std::string Colmap::helpOf(std::vector<std::string> arguments) const {
    std::string help;
    arguments.insert(arguments.begin(), program_.string());
    runChild({.arguments = std::move(arguments),
              .log = {},
              .onLine = [&](std::string_view line) { help.append(line).append("\n"); },
              .check = [this] { observer_.check(); }});
    return help;
}

ChildResult Colmap::run(const std::string& command, const std::vector<ColmapOption>& options,
                        const std::function<void(std::string_view)>& onLine) const {
    const std::set<std::string> known = optionsInHelp(helpOf({command, "-h"}));
    std::vector<std::string> arguments{program_.string(), command};
    for (const ColmapOption& option : options) {
        const auto name = std::ranges::find_if(option.names, [&](const std::string& each) { return known.contains(each); });
        if (name != option.names.end()) {
            arguments.insert(arguments.end(), {"--" + *name, option.value});
        } else if (option.needed) {
            throw Error("colmap {}: has no option {}; expected COLMAP 3.8 or newer", command, option.names.front());
        }
    }
    return runChild({.arguments = arguments, .log = log_, .onLine = onLine, .check = [this] { observer_.check(); }});
}

void requireSuccess(const ChildResult& result, const std::string& what, const fs::path& log) {
    if (result.succeeded()) return;
    const std::string hint = result.wasKilled() ? "; the system kills programs when memory runs out" : "";
    throw Error("{} failed: {}{}. Its log is {}; the last lines:\n  {}", what, result.ending(), hint, log.string(),
                indented(result.lastLines));
}

}  // namespace splat::prepare
