#include <splatwright/core/platform/program.h>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <sstream>

#include <fmt/format.h>

namespace splat::platform {

namespace fs = std::filesystem;

namespace {

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte b : bytes) text += fmt::format("{:02x}", std::to_integer<int>(b));
    return text;
}

/// Names and texts of notes take whole words.
size_t padded(size_t bytes) { return (bytes + 3) / 4 * 4; }

/// The build ID among an ELF segment's notes; empty if the linker wrote none.
std::string buildIdIn(std::span<const std::byte> notes) {
    ElfW(Nhdr) note;
    while (notes.size() >= sizeof(note)) {
        std::memcpy(&note, notes.data(), sizeof(note));
        const size_t text = sizeof(note) + padded(note.n_namesz), end = text + padded(note.n_descsz);
        if (end > notes.size()) break;
        const bool isOurs = note.n_namesz == 4 && std::memcmp(notes.data() + sizeof(note), ELF_NOTE_GNU, 4) == 0;
        if (note.n_type == NT_GNU_BUILD_ID && isOurs) return hex(notes.subspan(text, note.n_descsz));
        notes = notes.subspan(end);
    }
    return {};
}

const char* variable(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing sets variables while others read them
    return value ? value : "";
}

}  // namespace

std::vector<std::string> commandLine(int argc, char** argv) { return {argv, argv + argc}; }

fs::path programFile() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown);
}

std::string buildOfProgram() {
    std::string id;
    const auto ofFirst = [](dl_phdr_info* info, size_t, void* result) {
        for (const ElfW(Phdr) & header : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
            if (header.p_type != PT_NOTE) continue;
            const auto* notes = reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr);  // NOLINT(performance-no-int-to-ptr)
            const std::string found = buildIdIn({notes, header.p_memsz});
            if (!found.empty()) *static_cast<std::string*>(result) = found;
        }
        return 1;  // the program comes first, and is all that counts
    };
    dl_iterate_phdr(ofFirst, &id);
    if (!id.empty()) return id.substr(0, 16);
    struct stat status {};
    if (stat("/proc/self/exe", &status) != 0) return "unknown";
    return fmt::format("{:x}-{:x}", status.st_size, status.st_mtim.tv_sec);
}

void holdProcess() { std::raise(SIGSTOP); }

void setEnvironment(const char* name, const char* value) { setenv(name, value, 1); }

void* loadedLibrary(std::string_view name) { return dlopen(fmt::format("lib{}.so", name).c_str(), RTLD_NOW | RTLD_NOLOAD); }

void* functionIn(void* library, const char* name) { return dlsym(library, name); }

fs::path userFolder() { return variable("HOME"); }

fs::path userCacheFolder() {
    const fs::path cache = variable("XDG_CACHE_HOME"), home = userFolder();
    if (cache.is_absolute()) return cache / "splatwright";  // the standard ignores relative paths
    return home.empty() ? home : home / ".cache" / "splatwright";
}

fs::path userConfigFolder() {
    const fs::path config = variable("XDG_CONFIG_HOME"), home = userFolder();
    if (!config.empty()) return config / "splatwright";
    return home.empty() ? home : home / ".config" / "splatwright";
}

std::vector<fs::path> fontFiles() {
    return {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
            "/usr/share/fonts/TTF/DejaVuSans.ttf"};  // of Debian's, Fedora's and Arch's packages
}

bool isProgram(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

std::vector<fs::path> programFiles(const fs::path& name) { return {name}; }

std::vector<fs::path> programFolders() {
    std::vector<fs::path> folders;
    std::istringstream path(variable("PATH"));
    for (std::string folder; std::getline(path, folder, ':');) folders.emplace_back(folder.empty() ? "." : folder);
    return folders;
}

}  // namespace splat::platform
