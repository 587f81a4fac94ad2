#include "commands/options.h"

namespace splat::app {

CLI::Option* addReal(CLI::App& command, const std::string& name, float& value, Range<float> range, const std::string& help) {
    return command
        .add_option_function<std::string>(
            name, [&value, range, name](const std::string& text) { value = parseReal(text, name, range); },
            fmt::format("{} ({})", help, range.text()))
        ->type_name("X")
        ->default_str("");
}

CLI::Option* addSize(CLI::App& command, const std::string& name, ImageSize& size, const std::string& help) {
    const std::string fallback = size.width > 0 ? fmt::format("{}x{}", size.width, size.height) : "";
    return addParsed(command, name, size, parseSize, fmt::format("{} (each 1 to {})", help, kMaxSide))
        ->type_name("WxH")
        ->default_str(fallback);
}

CLI::Option* addColour(CLI::App& command, const std::string& name, glm::vec3& colour, const std::string& help) {
    return addParsed(command, name, colour, parseColour, help + " (each 0 to 1)")
        ->type_name("R,G,B")
        ->default_str(fmt::format("{},{},{}", colour.x, colour.y, colour.z));
}

CLI::Option* addDirection(CLI::App& command, const std::string& name, glm::vec3& direction, const std::string& help) {
    return addParsed(command, name, direction, parseDirection,
                     fmt::format("{} (each {:.0f} to {:.0f}, not all 0)", help, -kLongestDirection, kLongestDirection))
        ->type_name("X,Y,Z")
        ->default_str(fmt::format("{},{},{}", direction.x, direction.y, direction.z));
}

CLI::Option* addSplit(CLI::App& command, Split& split, const std::string& help) {
    return addParsed(command, "--split", split, parseSplit, help)->type_name("NAME")->default_str(std::string(nameOf(split)));
}

CLI::Option* addTestEvery(CLI::App& command, int& testEvery, const std::string& help) {
    return addNumber(command, "--test-every", testEvery, {0, 1'000'000}, help);
}

CLI::Option* addDownscale(CLI::App& command, int& downscale, const std::string& help) {
    return addParsed(command, "--downscale", downscale, parseDownscale, help)
        ->type_name("1|2|4|8|auto")
        ->default_str(std::to_string(downscale));
}

}  // namespace splat::app
