#include <iostream>
#include <new>

#include <CLI/CLI.hpp>

#include "commands/commands.h"
#include "commands/help_formatter.h"
#include "core/names.h"

namespace splat::app {

namespace {

void addGlobalOptions(CLI::App& app, GlobalOptions& options) {
    app.option_defaults()->group("Global options (before or after the command)");
    app.add_option("--device", options.device, "Vulkan device to use [the first discrete GPU, else the first that can]")
        ->type_name("INDEX|NAME");
    app.add_flag("--validate", options.validate, "validation and synchronization validation on; any message makes the exit code 3");
    app.add_option("--disable", options.disabled, "do without a feature, by its name in `info`; repeatable")
        ->allow_extra_args(false)
        ->type_name("FEATURE");
    app.add_option("--capture", options.capture, "RenderDoc capture of this step or frame, counted from 1")
        ->check(CLI::PositiveNumber)
        ->type_name("N")
        ->default_str("");
    app.add_option("--memory-limit", options.memoryLimit, "device memory to do with [all there is]")
        ->check(CLI::PositiveNumber)
        ->type_name("MiB")
        ->default_str("");
    app.add_option("--lose-device-at", options.loseDeviceAt)->group("");    // hidden: tests what happens then
    app.add_option("--lose-surface-at", options.loseSurfaceAt)->group("");  // so is this
    app.add_flag("-v,--verbose", options.verbose, "say more on standard error");
    app.add_flag("-q,--quiet", options.quiet, "say nothing but errors on standard error");
    app.set_version_flag("--version", SPLAT_VERSION, "print the version")->group("Global options (before or after the command)");
    app.option_defaults()->group("Options");
}

void setUpLogFor(const GlobalOptions& options) {
    setUpLog(options.quiet ? Verbosity::quiet : options.verbose ? Verbosity::verbose : Verbosity::normal);
}

/// Runs the command and answers with its exit code, whatever happens; any validation message overrides it.
Exit guarded(Context& context, const Run& run) {
    Exit exit = Exit::failed;
    try {
        exit = run(context);
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

/// CLI11 does not say which word it took for no command.
void explainUnknownCommand(const CLI::App& app) {
    const auto words = app.remaining();
    if (!app.get_subcommands().empty() || words.empty()) return;
    std::cerr << "unknown command '" << escapedName(words.front()) << "', expected one of";
    for (const Command& row : kCommands) std::cerr << ' ' << row.name;
    std::cerr << '\n';
}

Exit runCommandLine(int argc, char** argv) {
    GlobalOptions options;
    CLI::App app("Trains and renders 3D Gaussian splats on any Vulkan GPU, or without one.", "splatwright");
    app.option_defaults()->always_capture_default();
    app.require_subcommand(1);
    app.failure_message([](const CLI::App*, const CLI::Error& problem) {
        return printable(problem.what()) + "\nRun with --help for more information.\n";
    });
    const auto formatter = std::make_shared<HelpFormatter>();
    app.formatter(formatter);
    addGlobalOptions(app, options);

    std::vector<std::pair<const CLI::App*, Run>> commands;
    for (const Command& row : kCommands) {
        CLI::App* command = app.add_subcommand(row.name, row.summary);
        command->fallthrough();  // global options may stand after the command as well
        command->footer([&app, formatter] { return formatter->make_groups(&app, CLI::AppFormatMode::Sub); });
        commands.emplace_back(command, [run = row.add(*command), &row](Context& context) {
            if (context.options().capture > 0 && !row.captures)
                throw InputError("--capture: {} has no steps or frames, expected train, render or view", row.name);
            return run(context);
        });
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() != 0) explainUnknownCommand(app);
        return app.exit(problem) == 0 ? Exit::done : Exit::usage;
    } catch (const InputError& problem) {  // an option's text is read while parsing
        std::cerr << printable(problem.what()) << '\n';
        return Exit::usage;
    }
    setUpLogFor(options);
    Context context(options);
    for (const auto& [command, run] : commands) {
        if (command->parsed()) return guarded(context, run);
    }
    return Exit::usage;
}

}  // namespace

}  // namespace splat::app

// Exceptions that get here are mistakes in the declaration of options: they end the program at its first start.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
    return static_cast<int>(splat::app::runCommandLine(argc, argv));
}
