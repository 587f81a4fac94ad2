#include <splatwright/core/table.h>
#include "commands/command.h"

namespace splat::app {

// In the order of --help.
SPLAT_TABLE(Command, kCommands, kInfoCommand, kSynthCommand, kPrepareCommand, kTrainCommand, kFitCommand, kRenderCommand, kConvertCommand,
            kViewCommand, kEvalCommand, kExplainCommand, kBenchCommand);

std::span<const Command* const> commandTable() { return kCommands; }

}  // namespace splat::app
