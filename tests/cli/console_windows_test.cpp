// What only Windows has: requests to end from programs without a common console, and names of devices.
#include <process.h>
#include <functional>

#include <splatwright/scene/formats/ply.h>
#include "../core/console_event_windows.h"
#include "../scene/format_samples.h"
#include "run.h"

namespace splat {
namespace {

using namespace test;

/// Runs the program, does something to it once that is true, and returns its exit code.
using Run = std::function<int(const Arguments&, const std::function<bool()>&)>;

/// Not started by the engine, whose processes ignore Ctrl-C, in Wine 8 all events.
int codeAfter(DWORD event, const Arguments& arguments, const std::function<bool()>& ready) {
    std::vector<std::wstring> words{platform::quoted(platform::wide(SPLAT_BINARY))};
    for (const std::string& argument : arguments) words.push_back(platform::quoted(platform::wide(argument)));
    std::vector<const wchar_t*> line;
    for (const std::wstring& word : words) line.push_back(word.c_str());
    line.push_back(nullptr);
    const platform::File process(_wspawnv(_P_NOWAIT, platform::wide(SPLAT_BINARY).c_str(), line.data()));
    const HANDLE handle = platform::handleOf(process);
    bool told = false;
    for (int i = 0; i < 2400 && WaitForSingleObject(handle, 50) == WAIT_TIMEOUT; ++i)
        if (!told && ready()) told = tellOfConsoleEvent(GetProcessId(handle), event).isOpen();
    DWORD code = STILL_ACTIVE;
    GetExitCodeProcess(handle, &code);
    if (code == STILL_ACTIVE) TerminateProcess(handle, 1);
    return static_cast<int>(code);
}

/// A training that is asked to end must have saved what it has, and say so with its exit code.
void expectSaved(const Run& run, int code) {
    constexpr int kSteps = 100'000;  // more than are done before somebody asks
    const Scratch scratch;
    const fs::path data = tinyDataset(scratch), out = scratch.path() / "out";
    const fs::path config =
        scratch.write("config.json", fmt::format(R"({{"steps": {}, "log_every": 5, "init": "random", "init_count": 300}})", kSteps));
    const auto hasSteps = [&] { return fs::exists(out / "log.jsonl") && fs::file_size(out / "log.jsonl") > 0; };
    EXPECT_EQ(run({"train", data, "-o", out, "--config", config}, hasSteps), code);
    const json metrics = metricsOf(out);
    EXPECT_GE(metrics["steps"], 5);
    EXPECT_LT(metrics["steps"], kSteps);
    EXPECT_GE(readPly(out / "splats.ply").count(), 300u);
    EXPECT_FALSE(fs::exists(out / "run.lock"));
}

TEST(RequestsToEnd, OfAnotherProgramSaveTheRun) {
    const auto ask = [](const Arguments& arguments, const std::function<bool()>& ready) {
        const Outcome stopped = splatwright(arguments, {.interruptWhen = ready});
        expectParts(stopped.out, {"resume  "});
        return stopped.code;
    };
    expectSaved(ask, 143);
}

TEST(RequestsToEnd, OfTheConsoleSaveTheRun) {
    for (const auto& [event, code] : {std::pair<DWORD, int>{CTRL_C_EVENT, 130}, {CTRL_BREAK_EVENT, 143}, {CTRL_CLOSE_EVENT, 129}}) {
        SCOPED_TRACE(code);
        expectSaved(std::bind_front(codeAfter, event), code);
    }
}

TEST(NamesOfDevices, AreNoOutputs) {
    const Scratch scratch;
    const fs::path splats = scratch.write("a.ply", kSplatSamples.at("PLY")().back().content);
    for (const char* name : {"con.ply", "NUL.splat", "COM1.spz"})
        expectFailure(splatwright({"convert", splats, scratch.path() / name}), 2, {name, "keeps the name", "expected another name"});
    expectFailure(splatwright({"synth", scratch.path() / "aux", "--views", "3", "--size", "32x24"}), 2, {"aux", "keeps the name"});
}

}  // namespace
}  // namespace splat
