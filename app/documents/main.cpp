#include <filesystem>

#include <fmt/format.h>

#include <splatwright/core/file.h>
#include "commands/command_line.h"
#include "documents/describe.h"

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

}  // namespace

// Run by the build: `splatwright_documents FOLDER` writes man pages and completions of shells.
int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: {} FOLDER\n", argc > 0 ? argv[0] : "splatwright_documents");
        return 2;
    }
    try {
        writeDocuments(argv[1]);
    } catch (const std::exception& problem) {
        fmt::print(stderr, "{}\n", problem.what());
        return 1;
    }
    return 0;
}
