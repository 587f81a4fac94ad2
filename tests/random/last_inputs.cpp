#include "last_inputs.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

#include <fmt/format.h>

#include "viewer/window/clock.h"

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));  // NOLINT(bugprone-reserved-identifier): its name

namespace splat::test {

namespace {

constexpr size_t kKept = 60, kLongest = 160;
constexpr int kPatience = 180;             // seconds without an input: far more than the slowest compilation of kernels under a sanitizer
constexpr uint64_t kMostMemory = 8 << 20;  // KiB that are resident

std::array<std::array<char, kLongest>, kKept> lines{};
std::atomic<size_t> noted = 0;
std::atomic<int> quietSeconds = 0;
uint64_t seedOfRun = 0;

/// For slowest().
struct Timed {
    std::string what;
    double seconds = 0;
};
Timed slow, current;

/// Only calls what a handler of signals may call.
void say(const char* text) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

void onSignal(int signal) {
    last_inputs::print();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

uint64_t residentKilobytes() {
    std::ifstream file("/proc/self/statm");
    uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

void watchOver() {
    while (true) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        if (++quietSeconds > kPatience) fail(fmt::format("no input was taken for {} seconds", kPatience));
        if (residentKilobytes() > kMostMemory) fail(fmt::format("{} KiB of memory are in use", residentKilobytes()));
    }
}

}  // namespace

void last_inputs::watch(uint64_t seed) {
    seedOfRun = seed;
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(print);
    } else {
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, onSignal);
    }
    std::signal(SIGABRT, onSignal);
    std::thread(watchOver).detach();
}

void last_inputs::note(uint64_t frame, const std::string& what) {
    const std::string line = fmt::format("  frame {}: {}", frame, what).substr(0, kLongest - 2) + "\n";
    std::ranges::copy(line, lines[noted % kKept].begin());
    lines[noted % kKept][line.size()] = '\0';
    ++noted;
    tick();
    current.seconds = app::now() - current.seconds;
    if (!current.what.empty() && current.seconds > slow.seconds) slow = current;
    current = {line, app::now()};
}

std::string last_inputs::slowest() { return fmt::format("{:.1f} s,{}", slow.seconds, slow.what); }

void last_inputs::tick() { quietSeconds = 0; }

void last_inputs::print() {
    static std::atomic<bool> printed = false;
    if (printed.exchange(true)) return;
    std::array<char, kLongest> head{};
    std::snprintf(head.data(), head.size(), "seed %llu; the last inputs:\n", static_cast<unsigned long long>(seedOfRun));
    say(head.data());
    for (size_t i = noted > kKept ? noted - kKept : 0; i < noted; ++i) say(lines[i % kKept].data());
}

void fail(const std::string& why) {
    say(("FAILED: " + why + "\n").c_str());
    std::abort();
}

}  // namespace splat::test
