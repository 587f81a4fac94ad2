// What the picture is compared with.
#include <algorithm>
#include <iterator>

#include "viewer/scene/workspace.h"

namespace splat::app {

Compared Workspace::compared() const {
    const Compared& second = comparing.second;
    const bool there = second.with == CompareWith::model         ? world.has(second.model)
                       : second.with == CompareWith::groundTruth ? borrowedView.has_value()
                                                                 : true;
    return there ? second : Compared{};
}

World::Chosen Workspace::firstModels() const {
    if (compared().with != CompareWith::model) return std::nullopt;
    World::Chosen models(std::in_place);
    std::ranges::copy_if(world.ids(), std::back_inserter(*models),
                         [&](World::Id id) { return world[id].visible && id != comparing.second.model; });
    return models;
}

std::array<std::string, 2> Workspace::comparedNames() const {
    const std::string mode(renderModeByName(picture.picture).label);
    switch (comparing.second.with) {
        case CompareWith::renderMode: return {mode, std::string(renderModeByName(comparing.second.mode).label)};
        case CompareWith::groundTruth: return {"Render", "Ground truth"};
        case CompareWith::model: break;
        case CompareWith::nothing: return {mode, ""};
    }
    const auto first = firstModels().value_or(std::vector<World::Id>());
    return {first.size() == 1 ? world[first[0]].name : fmt::format("{} models", first.size()),
            world.has(comparing.second.model) ? world[comparing.second.model].name : ""};
}

void Workspace::compareWithSomething() {
    const auto ids = world.ids();
    const auto other = std::ranges::find_if(ids, [&](World::Id id) { return id != current; });
    if (borrowedView) {
        comparing.second.with = CompareWith::groundTruth;
    } else if (other != ids.end()) {
        comparing.second.with = CompareWith::model;
        comparing.second.model = *other;
    } else {
        comparing.second.with = CompareWith::renderMode;
    }
}

void Workspace::toggleGroundTruth() {
    const bool shown = showsGroundTruth();
    comparing.second.with = shown ? CompareWith::nothing : CompareWith::groundTruth;
    comparing.layout = CompareLayout::sideBySide;
}

}  // namespace splat::app
