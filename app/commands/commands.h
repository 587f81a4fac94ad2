#pragma once

#include <array>

#include "commands/command.h"

namespace splat::app {

Run addInfo(CLI::App& command);
Run addSynth(CLI::App& command);
Run addTrain(CLI::App& command);
Run addRender(CLI::App& command);
Run addView(CLI::App& command);
Run addEval(CLI::App& command);
Run addBench(CLI::App& command);

inline constexpr std::array kCommands{
    Command{"info", "Say which devices, limits and features there are, and which sort was chosen", false, addInfo},
    Command{"synth", "Write a multi-view dataset of a procedural scene", false, addSynth},
    Command{"train", "Train splats on a dataset", true, addTrain},
    Command{"render", "Render splats to PNG files", true, addRender},
    Command{"view", "Look at splats in a window, or draw frames without one and measure them", true, addView},
    Command{"eval", "Compare renders with photographs: PSNR and SSIM", false, addEval},
    Command{"bench", "Verify and time the primitives", false, addBench},
};

}  // namespace splat::app
