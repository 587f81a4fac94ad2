#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include <splatwright/core/input_file.h>
#include "commands/command_line.h"
#include "documents/describe.h"
#include "viewer/actions/action_tables.h"

namespace {

using namespace splat;
using namespace splat::app;

void write(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    writeFileAtomically(file, text);
}

/// The files below the folder are where an installation has them below share/.
void writeDocuments(const std::filesystem::path& folder) {
    CommandLine line;
    const ProgramDescription program = describe(line.app());
    const auto manual = [&](const std::string& page) { return folder / "man/man1" / (page + ".1"); };
    write(manual(program.name), programManual(program));
    for (const CommandDescription& command : program.commands) write(manual(pageName(program, command)), commandManual(program, command));
    write(folder / "bash-completion/completions" / program.name, bashCompletion(program));
    write(folder / "zsh/vendor-completions" / ("_" + program.name), zshCompletion(program));
    write(folder / "fish/vendor_completions.d" / (program.name + ".fish"), fishCompletion(program));
}

void renewTables(const std::filesystem::path& document) { writeFileAtomically(document, withActionTables(readTextFile(document))); }

}  // namespace

// Run by the build: `splatwright_documents FOLDER` writes man pages and completions of shells. By hand, after a change of the viewer's actions:
// `splatwright_documents --tables FILE...` renews the tables of actions in these documents.
int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    const bool isOfTables = words.size() > 1 && words[0] == "--tables";
    if (words.size() != 1 && !isOfTables) {
        fmt::print(stderr, "usage: splatwright_documents FOLDER | --tables FILE...\n");
        return 2;
    }
    try {
        if (!isOfTables) writeDocuments(words[0]);
        for (size_t i = 1; i < words.size(); ++i) renewTables(words[i]);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "{}\n", problem.what());
        return 1;
    }
    return 0;
}
