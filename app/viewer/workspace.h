#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/names.h"
#include "primitives/radix_sort.h"
#include "view/edit_history.h"
#include "view/pictures.h"
#include "view/world.h"
#include "viewer/camera_path.h"
#include "viewer/file_dialog.h"
#include "viewer/frusta.h"
#include "viewer/gizmo.h"
#include "viewer/loader.h"
#include "viewer/navigator.h"
#include "viewer/question.h"
#include "viewer/recent_files.h"
#include "viewer/selecting.h"
#include "viewer/training.h"

namespace splat::app {

/// What the status bar says last.
struct Notice {
    std::string text;
    bool problem = false;
    uint64_t number = 0;  ///< another one for every message
    double since = 0;     ///< seconds of a steady clock

    /// Whether it still stands in the status bar: for a while, problems for longer.
    bool isFresh() const;
};

/// What the panel selects by, world units.
struct ShapeSettings {
    glm::vec3 centre{0};
    float radius = 1;
    glm::vec3 halfSize{1};
    float opacityLow = 0, opacityHigh = 0.1F;
    Combine combine = Combine::set;
};

/// What a person works on: models, how they are seen, and what was said of them. Panels and actions change it; the viewer draws it.
class Workspace {
public:
    Workspace(gpu::Device& device, const primitives::RadixSort& sort, std::filesystem::path recentList);

    gpu::Device& device() { return device_; }
    const primitives::RadixSort& sort() const { return sort_; }

    World world;
    EditHistory history;
    Selecting selecting;
    ShapeSettings shapes;
    Gizmo gizmo;
    Placement placedFrom;              ///< before the panel's numbers began to be dragged
    std::optional<World::Id> current;  ///< the model that panels are about
    PictureSettings picture;
    Navigator navigator;
    std::optional<size_t> borrowedView;  ///< of the dataset: its camera is looked through until a person moves
    std::unique_ptr<Training> training;  ///< of the dataset that is open
    bool showsCameras = false;
    bool showsThumbnails = true;  ///< on the far sides of the cameras
    bool showsGizmo = false;
    bool showsLegend = true;  ///< of the numbers in a picture
    bool showsPhotograph = false;  ///< of the borrowed view, beside the picture
    std::vector<Pose> bookmarks;
    CameraPath flight;
    uint64_t revision = 0;  ///< goes up when something else changed that pictures show: marks, a model in training
    FileDialog dialog;
    Question question;
    RecentFiles recent;

    /// Reads a file of splats, or a dataset's folder to train on, on another thread. Of datasets there is one at a time.
    void open(const std::filesystem::path& path);
    /// Reads a dataset to train on as the options say.
    void train(LiveOptions options);
    /// Takes a model away; asks first where something would be lost.
    void close(World::Id id);
    /// What would be lost by leaving, in words: edits, and steps that nothing writes down. Empty: nothing.
    std::vector<std::string> unsaved() const;
    /// What a new training in place of this one would lose, and what a new start of this one, which writes into the same folder.
    std::vector<std::string> unsavedSteps() const;
    std::vector<std::string> lostByReset() const;
    /// An edited model's splats as another one, which can be edited further; one in training gives those of now, and hides behind them. Waits.
    void duplicate(World::Id id);
    // Edit the chosen model, or all that show where Selecting says so; complain where nobody can edit that: in training, or hidden.
    void select(const SelectionShape& shape, Combine combine);
    void edit(MarkEdit edit);
    /// A model as it is edited and placed, as PLY; waits. Throws InputError for a name that promises another format.
    void save(World::Id id, const std::filesystem::path& path);
    bool busy() const;
    /// Whether nothing is open and nothing on its way.
    bool isEmpty() const { return world.ids().empty() && !busy(); }
    std::string waitingFor() const { return loader_.waitingFor(); }
    /// What the next dataset starts with.
    TrainSettings trainSettings = defaultsOf(TrainSettings().strategy);
    /// How datasets are read.
    DatasetOptions reading;

    /// Takes in what other threads have finished; cost: GPU milliseconds of a frame and its picture. True when there is something new to show.
    bool update(double cost);

    /// Looks through a camera of the dataset.
    void borrow(size_t view);
    /// The cameras of the dataset as they are drawn into a picture by this camera; none while they do not show.
    std::vector<Frustum> frusta(const Camera& camera) const;
    /// Looks with one's own eyes again, from the same place.
    void giveBack();
    /// Whether the picture has the sides of a photograph.
    std::optional<glm::ivec2> photographSize() const;

    /// Of all models.
    uint64_t splats() const;
    /// Sees all visible models.
    void frameAll();
    /// The view of a picture of this size; for a borrowed camera that of its photograph, scaled.
    Camera camera(glm::uvec2 size) const;

    /// Says something in the status bar.
    void say(const std::string& text);
    void complain(const std::string& text);
    /// What was said belongs to something earlier.
    void hush() { notice_.text.clear(); }
    const Notice& notice() const { return notice_; }
    /// That was said or complained of, however old it is.
    const std::string& lastMessage() const { return lastMessage_; }
    /// How many complaints there were.
    uint64_t problems() const { return problems_; }

private:
    void take(LoadedSplats loaded);
    World::Id add(std::string name, const Gaussians& gaussians);
    void remove(World::Id id);
    bool isEdited(World::Id id) const;
    std::vector<std::string> unsaved(World::Id id) const;
    bool refusesEdits();
    bool refusesSelections();
    std::optional<World::Id> selectsIn() const;
    void tellPhase(LivePhase before);

    /// As a model's file has it.
    struct Saved {
        Placement placement;
        uint32_t deleted = 0;
        uint64_t edits = 0;  ///< EditHistory::revision()
    };

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    Loader loader_;
    std::map<World::Id, Saved> saved_;
    uint64_t editRevision_ = 0;
    Notice notice_;
    std::string lastMessage_;
    uint64_t problems_ = 0;
};

}  // namespace splat::app
