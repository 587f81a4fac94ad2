#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace splat::platform {

/// The words of this program's command line as UTF-8, its own name first.
std::vector<std::string> commandLine(int argc, char** argv);

/// This program's file; empty if the system does not say.
std::filesystem::path programFile();

/// Tells builds of this program apart: the linker's build ID, else its file's size and time.
std::string buildOfProgram();

/// Stops this process until somebody lets it go on.
void holdProcess();

/// For programs that this one starts, and libraries that it loads.
void setEnvironment(const char* name, const char* value);

/// A library that is loaded already, by its name without what systems add ("renderdoc"); null if it is not.
void* loadedLibrary(std::string_view name);
/// A function of a library; null if it has none of this name.
void* functionIn(void* library, const char* name);

/// The user's own folder; empty if the environment names none.
std::filesystem::path userFolder();
/// Folder for files that may go at any time; empty if the environment names none.
std::filesystem::path userCacheFolder();
/// Folder for what a user has chosen; empty if the environment names none.
std::filesystem::path userConfigFolder();

/// Fonts that a window may use, best first, which the system may have or not.
std::vector<std::filesystem::path> fontFiles();

/// Whether a file can be executed.
bool isProgram(const std::filesystem::path& file);
/// Files that a program's name may stand for: the name, or with the endings of programs.
std::vector<std::filesystem::path> programFiles(const std::filesystem::path& name);
/// The folders of the PATH, in order.
std::vector<std::filesystem::path> programFolders();

}  // namespace splat::platform
