#pragma once

#include <span>
#include <string_view>

#include <splatwright/view/world.h>
#include "viewer/actions/actions.h"

namespace splat::app {

class Training;

// Rows of the table of actions, one file per group.
std::span<const Action> fileActions();     ///< files and models
std::span<const Action> viewActions();     ///< camera and render settings
std::span<const Action> pathActions();     ///< the camera path
std::span<const Action> compareActions();  ///< two pictures
std::span<const Action> editActions();     ///< selections, edits and model transforms
std::span<const Action> trainActions();    ///< training on the open dataset
std::span<const Action> scriptActions();   ///< script only: pointer, keys, waiting and reports

/// Training on the open dataset. Throws InputError if none is open.
Training& training(Viewer& viewer);
/// The same of views of a scene. Throws InputError for a picture that is fitted, which has no `what`.
Training& sceneTraining(Viewer& viewer, std::string_view what);
/// The selected model. Throws InputError if none is selected.
World::Id currentModel(Viewer& viewer);
/// Whether there is one.
bool hasModel(const Viewer& viewer);
/// Whether a dataset, or a picture to fit, is open.
bool hasDataset(const Viewer& viewer);
/// Whether a dataset of views of a scene is open.
bool hasScene(const Viewer& viewer);
/// Whether the view has another side than that of a fitted picture.
bool isSolid(const Viewer& viewer);
/// From how many times the median distance to its neighbours on a splat is a floater: the next argument, if there is one.
double mediansOf(Arguments& arguments);
/// Ends the script's line when training has performed or refused its request.
void waitForTraining(Viewer& viewer);

}  // namespace splat::app
