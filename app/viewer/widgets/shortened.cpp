#include "viewer/widgets/shortened.h"

#include <imgui.h>

namespace splat::app {

std::string shortened(const std::string& text, float room) {
    std::string line = text.substr(0, text.find('\n'));
    const bool whole = line.size() == text.size();
    if (whole && ImGui::CalcTextSize(line.c_str()).x <= room) return line;
    while (!line.empty() && ImGui::CalcTextSize((line + "...").c_str()).x > room) {
        while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xc0u) == 0x80u) line.pop_back();  // of a character in UTF-8
        if (!line.empty()) line.pop_back();
    }
    return line + "...";
}

}  // namespace splat::app
