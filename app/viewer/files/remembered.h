#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <glm/glm.hpp>

namespace splat::app {

/// Place of a window on the desktop, in its own units.
struct WindowPlace {
    glm::ivec2 position{0};
    glm::ivec2 size{0};
    bool maximised = false;

    bool operator==(const WindowPlace&) const = default;
};

/// What the viewer remembers from one start to the next.
struct Remembered {
    std::string layout;                            ///< of panels, as Dear ImGui writes it; empty: the default
    float scale = 1;                               ///< pixels per point of the layout
    std::map<std::string, bool> panels;            ///< whether they are open, by title
    std::optional<WindowPlace> window;             ///< none: as the system places it
    std::string renderMode = "colour";             ///< of the table of render modes
    std::string tool = "navigate";                 ///< of the left button
    float brush = 30;                              ///< radius, points
    bool allModels = false;                        ///< selections in all visible models
    bool fly = false, legend = true;               ///< navigation, and legends of values
    std::filesystem::path openFolder, saveFolder;  ///< of the last files

    bool operator==(const Remembered&) const = default;
};

/// Of the user's configuration; empty if he has no folder for it.
std::filesystem::path rememberedFile();

/// Reads the file; the defaults if there is none. Throws InputError for a file of another version, or one that is not as writeRemembered() writes it.
Remembered readRemembered(const std::filesystem::path& file);

/// Writes the file so that readers never see half of it. Throws Error if it cannot be written.
void writeRemembered(const std::filesystem::path& file, const Remembered& remembered);

}  // namespace splat::app
