#include <splatwright/gpu/reload.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include <nlohmann/json.hpp>

#include <splatwright/core/child_process.h>
#include <splatwright/core/input_file.h>
#include <splatwright/core/log.h>
#include <splatwright/core/parse_json.h>
#include <splatwright/core/temporary_folder.h>
#include <splatwright/core/threads.h>
#include <splatwright/gpu/device.h>
#include <splatwright/gpu/kernel_signature.h>

namespace splat::gpu {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

struct Answer {
    ChildResult result;
    std::string text;  ///< stdout and stderr
};

Answer ask(const std::vector<std::string>& words) {
    Answer answer;
    answer.result =
        runChild({.arguments = words, .log = {}, .onLine = [&](std::string_view line) { answer.text.append(line).append("\n"); }});
    return answer;
}

/// The dependencies that a depfile lists, below the shader folder.
std::vector<fs::path> needsOf(const fs::path& depfile, const fs::path& shaders) {
    std::istringstream words(readTextFile(depfile));
    std::vector<fs::path> needs;
    std::string word;
    words >> word;  // the target
    while (words >> word)
        if (word != "\\") needs.push_back(fs::path(word).lexically_relative(shaders));
    return needs;
}

fs::file_time_type newest(const KernelSources::Kernel& kernel, const fs::path& shaders) {
    fs::file_time_type time = fs::file_time_type::min();
    for (const fs::path& file : kernel.needs) {
        std::error_code gone;  // the compiler reports a missing file
        const auto written = fs::last_write_time(shaders / file, gone);
        time = std::max(time, gone ? fs::file_time_type::max() : written);
    }
    return time;
}

/// A kernel's new code with its new times and dependencies.
struct Compiled {
    std::string problem;
    std::vector<uint32_t> code;
    KernelSources::Kernel kernel;
};

Compiled compile(const KernelSources& sources, const std::string& name, const fs::path& folder) {
    Compiled result{.problem = {}, .code = {}, .kernel = sources.kernels.at(name)};
    KernelSources::Kernel& kernel = result.kernel;
    kernel.compiled = newest(kernel, sources.shaders);  // before compiling, so that later edits count as newer
    const fs::path code = folder / (name + ".spv"), reflection = folder / (name + ".json"), needs = folder / (name + ".d");
    std::vector<std::string> words{sources.slangc.string(), (sources.shaders / kernel.source).string()};
    words.insert(words.end(), kernel.flags.begin(), kernel.flags.end());
    for (const std::string& word : {std::string("-I"), sources.shaders.string(), std::string("-reflection-json"), reflection.string(),
                                    std::string("-depfile"), needs.string(), std::string("-o"), code.string()})
        words.push_back(word);
    const Answer answer = ask(words);
    if (!answer.result.succeeded()) {
        result.problem = answer.text.empty() ? fmt::format("{}: the compiler failed: {}", name, answer.result.ending()) : answer.text;
        return result;
    }
    const std::string wrong = misfit(kernel.signature, kernelSignature(readJson(reflection)));
    if (!wrong.empty()) result.problem = fmt::format("kernel '{}': {}; that needs a new build\n", name, wrong);
    kernel.needs = needsOf(needs, sources.shaders);
    const std::vector<std::byte> bytes = readFile(code);
    result.code.resize(bytes.size() / sizeof(uint32_t));
    std::memcpy(result.code.data(), bytes.data(), result.code.size() * sizeof(uint32_t));
    // OpSource's language becomes Unknown, as cmake/generate_kernel.py has it (see there).
    constexpr uint32_t kHeader = 5, kOpSource = 3;
    for (size_t at = kHeader; at < result.code.size() && result.code[at] >> 16u > 0; at += result.code[at] >> 16u)
        if ((result.code[at] & 0xffffu) == kOpSource) result.code[at + 1] = 0;
    return result;
}

}  // namespace

KernelSources KernelSources::ofThisBuild() {
    const fs::path file = SPLAT_RELOAD_FILE, folder = file.parent_path();
    const json description = readJson(file);
    KernelSources sources;
    sources.slangc = description.at("slangc").get<std::string>();
    sources.shaders = description.at("shaders").get<std::string>();
    for (const fs::path& needed : {sources.slangc, sources.shaders})
        if (!fs::exists(needed)) throw InputError("{}: does not exist any more, but is needed to compile shaders", needed.string());
    const auto now = fs::file_time_type::clock::now();
    for (const json& k : description.at("kernels")) {
        const auto name = k.at("name").get<std::string>();
        sources.kernels[name] = {.source = fs::path(k.at("source").get<std::string>()).lexically_relative(sources.shaders).string(),
                                 .flags = k.at("flags").get<std::vector<std::string>>(),
                                 .needs = needsOf(folder / (name + ".d"), sources.shaders),
                                 .compiled = now,
                                 .signature = kernelSignature(readJson(folder / (name + ".json")))};
    }
    return sources;
}

ShaderReload::ShaderReload(Device& device, KernelSources sources) : device_(device), sources_(std::move(sources)) {}

std::vector<std::string> ShaderReload::changed() const {
    std::vector<std::string> names;
    for (const auto& [name, kernel] : sources_.kernels)
        if (newest(kernel, sources_.shaders) > kernel.compiled) names.push_back(name);
    return names;
}

ReloadResult ShaderReload::reload() {
    const TemporaryFolder scratch("splatwright-reload");
    const std::vector<std::string> names = changed();
    std::vector<Compiled> all(names.size());
    parallelFor(names.size(), [&](size_t i) { all[i] = compile(sources_, names[i], scratch.path()); });
    ReloadResult result;
    for (const Compiled& c : all) result.problem += c.problem;
    if (!result.problem.empty() || names.empty()) return result;
    std::map<std::string, std::vector<uint32_t>> codes;
    for (size_t i = 0; i < names.size(); ++i) codes[names[i]] = std::move(all[i].code);
    device_.replaceKernels(std::move(codes));
    for (size_t i = 0; i < names.size(); ++i) sources_.kernels[names[i]] = std::move(all[i].kernel);
    result.reloaded = names;
    return result;
}

void ShaderReload::begin() {
    if (busy()) return;
    running_ = std::async(std::launch::async, [this]() -> ReloadResult {
        try {
            return reload();
        } catch (const std::exception& problem) {
            return {.reloaded = {}, .problem = problem.what()};
        }
    });
}

std::optional<ReloadResult> ShaderReload::poll() {
    if (!busy() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    return std::exchange(running_, {}).get();
}

}  // namespace splat::gpu
