#include "commands/command_line.h"

#include <cstring>
#include <iostream>
#include <new>
#include <sstream>

#include <fmt/ranges.h>

#include <splatwright/core/names.h>
#include <splatwright/gpu/profiles.h>
#include <splatwright/train/settings/setting_limits.h>
#include "commands/command.h"
#include "commands/flag_names.h"
#include "commands/help_formatter.h"
#include "commands/interrupt.h"
#include "commands/options.h"
#include "commands/standard_output.h"
#include "viewer/files/build_version.h"

namespace splat::app {

namespace {

constexpr uint64_t kMostSubmissions = 1ULL << 40u;

/// Names of the classes; those of tests are not listed.
std::string profileNames() {
    std::vector<std::string_view> names;
    for (const gpu::Profile& profile : gpu::profileTable()) {
        if (!profile.deviceClass.empty()) names.push_back(profile.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

void addGlobalOptions(CLI::App& app, GlobalOptions& options) {
    app.option_defaults()->group("Global options (before or after the command)");
    app.add_option("--device", options.device, "Vulkan device [the first discrete GPU, else the first usable device]")
        ->type_name("INDEX|NAME");
    app.add_flag("--validate", options.validate, "Enable validation and synchronization validation; any message makes the exit code 3");
    app.add_option("--disable", options.disabled, "Disable an optional device feature listed by `info`; repeatable")
        ->allow_extra_args(false)
        ->type_name("FEATURE");
    app.add_option("--profile", options.profile, "Keep to limits and features of a device class: " + profileNames())->type_name("NAME");
    addNumber(app, "--capture", options.capture, {1, kMostSteps}, "RenderDoc capture of this step or frame, counted from 1")
        ->default_str("");
    addNumber(app, "--memory-limit", options.memoryLimit, {1, kMostMemory}, "Limit of device memory [all]")
        ->type_name("MiB")
        ->default_str("");
    // Hidden: for tests.
    addNumber(app, "--lose-device-at", options.loseDeviceAt, {0, kMostSubmissions}, "")->group("");
    addNumber(app, "--lose-surface-at", options.loseSurfaceAt, {0, kMostSubmissions}, "")->group("");
    addNumber(app, "--binding-limit", options.bindingLimit, {0, UINT32_MAX}, "")->group("");
    app.add_flag("-v,--verbose", options.verbose, "More messages on standard error");
    app.add_flag("-q,--quiet", options.quiet, "Only errors on standard error");
    app.set_version_flag("--version", programVersion(), "Print the version and the commit of the build")
        ->group("Global options (before or after the command)");
    app.option_defaults()->group("Options");
}

/// Runs the command and returns its exit code, which any validation message overrides.
Exit guarded(Context& context, const Run& run) {
    Exit exit = Exit::failed;
    try {
        exit = run(context);
    } catch (const Interrupted& stop) {
        spdlog::warn("interrupted before there was anything to save");
        exit = stop.exit;
    } catch (const InputError& problem) {
        spdlog::error("{}", problem.what());
        exit = Exit::usage;
    } catch (const Error& problem) {
        spdlog::error("{}", problem.what());
    } catch (const std::bad_alloc&) {
        spdlog::error("the host has no memory left");
    } catch (const std::logic_error& problem) {
        spdlog::error("internal error, please report it: {}", problem.what());
    } catch (const std::exception& problem) {
        spdlog::error("{}", problem.what());
    }
    const uint64_t messages = context.validationMessages();
    if (messages == 0) return exit;
    spdlog::error("--validate: {} messages", messages);
    return Exit::validation;
}

}  // namespace

CommandLine::CommandLine() {
    app_.option_defaults()->always_capture_default();
    app_.require_subcommand(1);
    app_.allow_windows_style_options(false);  // "/data" is a path on every system
    app_.failure_message(
        [](const CLI::App*, const CLI::Error& problem) { return printable(problem.what()) + "\nRun with --help for more information.\n"; });
    app_.formatter(std::make_shared<HelpFormatter>());
    addGlobalOptions(app_, options_);
    for (const Command* row : commandTable()) add(*row);
}

void CommandLine::add(const Command& row) {
    CLI::App* command = app_.add_subcommand(row.name, row.summary);
    command->fallthrough();  // global options may stand after the command as well
    command->footer(
        [this] { return std::static_pointer_cast<HelpFormatter>(app_.get_formatter())->make_groups(&app_, CLI::AppFormatMode::Sub); });
    commands_.emplace_back(command, [run = row.add(*command), &row](Context& context) {
        if (context.options().capture > 0 && !row.captures)
            throw InputError("--capture: {} has no steps or frames, expected train, render or view", row.name);
        return run(context);
    });
}

Exit CommandLine::parse(const std::vector<std::string>& words) {
    options_.program = words.empty() ? "splatwright" : words.front();
    std::vector<std::string> arguments(words.rbegin(), words.rend());  // CLI11 takes them from the last to the first
    if (!arguments.empty()) arguments.pop_back();
    try {
        app_.parse(std::move(arguments));
    } catch (const CLI::ParseError& problem) {
        const auto unknown = app_.remaining();
        if (problem.get_exit_code() != 0 && app_.get_subcommands().empty() && !unknown.empty()) {
            // CLI11 does not report which word is no command.
            std::cerr << "unknown command '" << escapedName(unknown.front()) << "', expected one of";
            for (const Command* row : commandTable()) std::cerr << ' ' << row->name;
            std::cerr << '\n';
        }
        std::ostringstream asked;  // --help, --version
        const int code = app_.exit(problem, asked, std::cerr);
        outputText(asked.str());
        return code == 0 ? Exit::done : Exit::usage;
    } catch (const InputError& problem) {  // an option's text is read while parsing
        std::cerr << withFlags(problem.what()) << '\n';
        return Exit::usage;
    }
    return runCommand();
}

Exit CommandLine::runCommand() {
    setUpLog(options_.quiet ? Verbosity::quiet : options_.verbose ? Verbosity::verbose : Verbosity::normal, withFlags);
    Context context(options_);
    for (const auto& [command, run] : commands_) {
        if (command->parsed()) return guarded(context, run);
    }
    return Exit::usage;
}

Exit CommandLine::run(const std::vector<std::string>& words) {
    const Exit exit = parse(words);
    const int error = outputError();
    if (error == 0) return exit;
    std::cerr << "standard output: cannot be written: " << std::strerror(error) << '\n';
    return exit == Exit::done ? Exit::failed : exit;
}

}  // namespace splat::app
