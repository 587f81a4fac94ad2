#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/explain/tile_backward.h>
#include <splatwright/train/loss/targets.h>
#include "viewer/scene/viewport.h"

namespace splat::app {

/// Draws the last picture again, by its own projection, into buffers with room for a backward pass; waits. Throws InputError if the model is too large
/// for one, gpu::OutOfMemory if there is too little memory.
std::unique_ptr<explain::TileFrame> drawAgain(Workspace& work, const WorldView& view, glm::uvec2 pixel);

/// Throws InputError saying what is missing for gradients of the last picture: a photograph of the same view, or colours to compare with it.
void checkGradients(const Workspace& work, const WorldView& view);

/// The training image of the view that is looked through, in the picture's size, for the loss. It is kept while view and size stay the same.
class ViewPhotograph {
public:
    void fit(Workspace& work, glm::uvec2 size);
    const Targets& targets() const { return *targets_; }
    const std::string& name() const { return name_; }

private:
    std::optional<size_t> view_;
    glm::uvec2 size_{0};
    uint64_t generation_ = 0;  ///< of the dataset
    std::string name_;
    std::unique_ptr<Targets> targets_;
};

/// The backward pass of a tile: gradients of the photometric loss, by the weights of the training that is open. All waits.
class InsideBackward {
public:
    InsideBackward(Workspace& work, const explain::TileFrame& tile, const ViewPhotograph& photograph);

    const std::string& view() const { return view_; }  ///< that the photograph is of
    const explain::TileBackward& tile() const { return tile_; }
    uint32_t reached() const { return tile_.tile().tile().reached; }
    /// Whether the training still has the settings that this was made by.
    bool isUpToDate(const Training& training) const { return settings_ == settingsOf(training); }
    /// The method by which the training adds gradients now; `tree-cas` if that starts from checkpoints, which this picture does not have.
    const AccumulationMethod& method() const { return method_; }
    bool isTrainings() const { return !settings_.method.row->checkpoints; }
    /// Gradients of the tile's splats over the whole picture, by method() and by `tree-cas`: [place * kTracedWords + word].
    const std::vector<float>& gradients() const { return gradients_; }
    const std::vector<float>& treeGradients() const { return treeGradients_; }

    // Read when first asked for.
    const explain::TreeTrace& tree(uint32_t place);
    const std::vector<explain::MethodTrace>& methods();
    const std::vector<explain::RetryTrace>& retries();
    const LaneCounts& lanes();
    /// All of these; the tree of the splat at this place, or of the last one that is reached.
    void readAll(uint32_t place);
    // What has been read.
    const std::optional<explain::TreeTrace>& tree() const { return tree_; }
    const std::vector<explain::MethodTrace>& methods() const { return methods_; }
    const std::vector<explain::RetryTrace>& retries() const { return retries_; }
    const std::optional<LaneCounts>& lanes() const { return lanes_; }

private:
    /// What it takes from the training.
    struct Settings {
        float ssimLambda = 0, l2Share = 0;
        bool clamps = false;
        AccumulationMethod method;

        bool operator==(const Settings&) const = default;
    };
    static Settings settingsOf(const Training& training);

    std::string view_;
    Settings settings_;
    gpu::Buffer colourGradients_;
    explain::TileBackward tile_;
    AccumulationMethod method_;
    std::vector<float> gradients_, treeGradients_;
    std::optional<explain::TreeTrace> tree_;
    std::vector<explain::MethodTrace> methods_;
    std::vector<explain::RetryTrace> retries_;
    std::optional<LaneCounts> lanes_;
};

}  // namespace splat::app
