#pragma once

#include <span>

#include "view/world.h"
#include "viewer/actions.h"

namespace splat::app {

class Training;

// The rows of the table of actions, a file each.
std::span<const Action> fileActions();    ///< files and models
std::span<const Action> viewActions();    ///< how the world is seen
std::span<const Action> editActions();    ///< selections, edits and placements
std::span<const Action> trainActions();   ///< training on the dataset that is open
std::span<const Action> scriptActions();  ///< what only scripts do: the pointer, keys, waiting and reports

/// Of the dataset that is open; throws InputError where none is.
Training& training(Viewer& viewer);
/// The chosen one; throws InputError where none is.
World::Id currentModel(Viewer& viewer);
/// A line of a script ends when what it asked of training is done, or was refused.
void waitForTraining(Viewer& viewer);

}  // namespace splat::app
