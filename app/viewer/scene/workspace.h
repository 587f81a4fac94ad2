#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <splatwright/core/names.h>
#include <splatwright/primitives/radix_sort.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/view/detail_stream.h>
#include <splatwright/view/edit_history.h>
#include <splatwright/view/render_modes.h>
#include <splatwright/view/world.h>
#include "viewer/files/recent_files.h"
#include "viewer/scene/backdrop.h"
#include "viewer/scene/camera_path.h"
#include "viewer/scene/comparing.h"
#include "viewer/scene/counting.h"
#include "viewer/scene/fit_rate.h"
#include "viewer/scene/frusta.h"
#include "viewer/scene/loader.h"
#include "viewer/scene/measuring.h"
#include "viewer/scene/message_log.h"
#include "viewer/scene/mode_ranges.h"
#include "viewer/scene/navigator.h"
#include "viewer/scene/preparing.h"
#include "viewer/scene/project.h"
#include "viewer/scene/scene_aids.h"
#include "viewer/scene/selecting.h"
#include "viewer/scene/shape_settings.h"
#include "viewer/scene/training.h"
#include "viewer/scene/view_strip.h"
#include "viewer/widgets/file_dialog.h"
#include "viewer/widgets/gizmo.h"
#include "viewer/widgets/prepare_dialog.h"
#include "viewer/widgets/question.h"

namespace splat::app {

/// The last message of the status bar.
struct Notice {
    std::string text;
    bool problem = false;
    uint64_t number = 0;  ///< unique per message
    double since = 0;     ///< seconds of a steady clock

    /// Whether it is still shown in the status bar: problems stay longer.
    bool isFresh() const;
};

/// Which messages the log shows.
struct LogFilter {
    std::string text;
    bool problemsOnly = false;
};

/// The user's document: models, camera, render settings and messages. Panels and actions change it; the viewer draws it.
class Workspace {
public:
    Workspace(gpu::Device& device, const primitives::RadixSort& sort, std::filesystem::path recentList);

    MessageLog messages;  ///< the last to go, as threads of the others write to it
    LogFilter logFilter;

    gpu::Device& device() { return device_; }
    const primitives::RadixSort& sort() const { return sort_; }

    World world;
    EditHistory history;
    Selecting selecting;
    ShapeSettings shapes;
    Gizmo gizmo;
    Counting counting;
    Measuring measuring;
    SceneAids aids;
    Backdrop backdrop;
    std::optional<World::Id> current;  ///< the model that panels and edits apply to
    RenderSettings picture;
    ModeRanges modeRanges;
    Navigator navigator;
    std::optional<size_t> borrowedView;                          ///< dataset view whose camera is used until the user moves
    std::unique_ptr<Training> training;                          ///< training on the open dataset
    std::unique_ptr<ViewStrip> strip;                            ///< of its views
    std::unique_ptr<FitRate> fitRate;                            ///< of a picture that is fitted
    std::map<World::Id, std::unique_ptr<DetailStream>> streams;  ///< of streamed models
    uint32_t detailBudget = 0;                                   ///< splats of a streamed model in a picture; 0: by the device's memory
    bool orthographic = false;                                   ///< without perspective; dataset views always have it
    bool showsCameras = false;
    bool showsThumbnails = true;  ///< images in the camera frusta
    bool showsGizmo = false;
    bool showsLegend = true;  ///< legend of modes with values
    Comparing comparing;
    std::vector<Pose> bookmarks;
    CameraPath flight;
    double pathTime = 0;            ///< seconds of the path that are shown, or were last
    std::optional<size_t> pathKey;  ///< the key that is edited
    uint64_t revision = 0;          ///< incremented by other visible changes: marks, a model in training
    FileDialog dialog;
    Question question;
    PrepareDialog prepareDialog;
    RecentFiles recent;
    std::unique_ptr<Preparing> preparing;  ///< the last preparation, running or ended

    /// Loads a splat file, a dataset folder to train on, or a picture to fit, on another thread; offers to prepare photographs or a video. One
    /// dataset or picture is open at a time.
    void open(const std::filesystem::path& path);
    /// Loads a dataset to train on with these options.
    void train(SessionOptions options);
    /// Prepares photographs or a video on another thread, then trains on the dataset. Throws InputError if another preparation runs.
    void prepare(const prepare::Settings& settings);
    bool isPreparing() const { return preparing && !preparing->ended(); }
    /// Closes a model; asks first if something would be lost.
    void close(World::Id id);
    /// Description of what leaving would lose: unsaved edits and training steps; empty: nothing.
    std::vector<std::string> unsaved() const;
    /// What opening another dataset would lose, and what a restart would lose, which writes into the same folder.
    std::vector<std::string> unsavedSteps() const;
    std::vector<std::string> lostByReset() const;
    /// Duplicates a model with its edits; a model in training is copied in its current state and then hidden. Waits.
    void duplicate(World::Id id);
    // Edit the current model, or all visible ones if Selecting::allModels; report models that cannot be edited: in training, or hidden.
    void select(const SelectionShape& shape, Combine combine);
    void edit(MarkEdit edit);
    /// Selects splats with colours like that of a splat of the world's buffers. Waits.
    void selectLike(uint32_t gaussian, Combine combine);
    /// Moves the selection into a model of its own, which becomes the current one; undo brings it back where it was. Waits.
    void separate();
    /// Saves the selection as a model; waits. writer: as in save().
    void saveSelection(const std::filesystem::path& path, const SplatWriter* writer);
    /// Saves a model with edits and transform; waits. writer: null for a .blobs file. Throws the errors of SplatWriter::write, and InputError for a
    /// .blobs file of a model in 3D, or of a picture that is moved.
    void save(World::Id id, const std::filesystem::path& path, const SplatWriter* writer);
    /// Whether a model is a fitted picture, or one in training.
    bool isPicture(World::Id id) const;
    /// Closes everything and opens a project; asks first if something would be lost, and reports one that cannot be read.
    void openProject(const std::filesystem::path& file);
    /// Saves what is open as a project; waits. Models that no file holds go to projectFolder().
    void saveProject(const std::filesystem::path& file);
    /// File of the project that is open; empty: none is.
    const std::filesystem::path& projectFile() const { return project_; }
    /// Saves as saveProject(), unless nothing has changed since the last time, so that recover() brings it back; for the user it is not saved.
    void autosave(const std::filesystem::path& file);
    /// Closes everything and opens an autosave.
    void recover(const std::filesystem::path& autosave);
    bool busy() const;
    /// Whether only fitted pictures are shown, which have no other side: the view pans where it would orbit.
    bool isFlat() const;
    /// Whether nothing is open or being loaded.
    bool isEmpty() const { return world.ids().empty() && !busy() && !preparing; }
    std::string waitingFor() const { return loader_.waitingFor(); }
    /// Training settings for the next dataset, or the next picture: those of its kind's defaults if these are for the other.
    TrainSettings trainSettings = resolveSettings({});
    /// How datasets are read.
    DatasetOptions reading;

    /// Collects results of other threads. cost: GPU milliseconds of a frame with its picture. Returns whether there is something new to show.
    bool update(double cost);

    /// Looks through a camera of the dataset.
    void borrow(size_t view);
    /// The dataset's camera frusta as projected by this camera; empty if they are hidden.
    std::vector<Frustum> frusta(const Camera& camera) const;
    /// Looks at the target from a side of the scene: from where the direction points to.
    void viewFrom(const glm::dvec3& direction);
    /// Returns to the free camera, at the same pose.
    void giveBack();

    /// Looks from a key of the camera path, which is then edited; or from a time of it.
    void showKey(size_t key);
    void showPath(double seconds);
    /// Moves a key in time, but not past its neighbours.
    void dragKey(size_t key, double seconds);

    /// Number of splats of all models.
    uint64_t splats() const;
    /// Those of a model; of a streamed one, all of its finest level.
    uint64_t splats(World::Id id) const;
    /// Chooses a render mode, with its range of values.
    void showMode(std::string_view name) {
        picture.picture = name;
        modeRanges.follow(picture);
    }
    /// Frames all visible models.
    void frameAll();
    /// The camera for a picture of this size; a borrowed camera is scaled to it.
    Camera camera(glm::uvec2 size) const;

    /// Comparing::second if it can be shown now: the model is there, or the camera is a view's that has an image.
    Compared compared() const;
    /// Models of the first picture: those that are visible, without the one that it is compared with.
    World::Chosen firstModels() const;
    /// Names of the compared pictures.
    std::array<std::string, 2> comparedNames() const;
    /// Chooses what to compare with: the ground truth in a view of the dataset, else another model, else another render mode.
    void compareWithSomething();
    /// Switches the comparison with the ground truth, side by side, on or off.
    void toggleGroundTruth();
    bool showsGroundTruth() const {
        return comparing.second.with == CompareWith::groundTruth && comparing.layout == CompareLayout::sideBySide;
    }

    /// WorldView::orthographic for camera().
    double orthographicDistance() const { return orthographic && !borrowedView ? navigator.distance() : 0; }

    /// Shows a message in the status bar.
    void say(const std::string& text);
    void complain(const std::string& text);
    /// Marks the current message as belonging to something earlier.
    void hush() { notice_.text.clear(); }
    const Notice& notice() const { return notice_; }
    /// The last message or problem, of any age.
    const std::string& lastMessage() const { return lastMessage_; }
    /// Number of problems so far.
    uint64_t problems() const { return problems_; }

private:
    void take(LoadedSplats loaded);
    void lookAtFirst(const ModelFile& model);
    void fit(const std::filesystem::path& path);
    void takePrepared();
    bool updateTraining(double cost);
    void stream(const std::filesystem::path& path);
    bool updateStreams();
    World::Id add(std::string name, const Gaussians& gaussians);
    World::Id add(std::string name, FittedPicture fitted);
    World::Id adopt(World::Id id);
    void replaced(const std::filesystem::path& path);
    void requirePicture(World::Id id, const std::filesystem::path& path) const;
    std::optional<FittedPicture> copyOfPicture(World::Id id);
    void remove(World::Id id);
    std::vector<std::string> unsaved(World::Id id) const;
    bool refusesEdits();
    bool refusesSelections();
    std::optional<World::Id> selectsIn() const;
    std::vector<World::Id> modelsWithSelection() const;

    void replaceBy(const Project& project);
    void look(const ProjectCamera& camera);
    void reopen(const ProjectModel& model, bool isOwn);
    void restore(World::Id id, const ReopenedModel& reopened);
    Project project(const std::filesystem::path& folder, bool isMoved);
    ProjectModel kept(World::Id id, const std::filesystem::path& folder, bool isMoved);
    std::optional<ProjectTraining> keptTraining(const std::filesystem::path& folder);

    /// Where a model is from.
    struct Source {
        std::filesystem::path file;
        bool isOwn = false;  ///< the file is in a projectFolder(), and nobody else's
    };

    /// State of a model in its file.
    struct Saved {
        ModelTransform transform;
        uint32_t deleted = 0;
        uint64_t edits = 0;  ///< EditHistory::revision()
    };

    gpu::Device& device_;
    const primitives::RadixSort& sort_;
    Loader loader_;
    std::map<World::Id, Saved> saved_;
    std::map<World::Id, Source> sources_;
    std::map<World::Id, FittedPicture> pictures_;  ///< what is shown of them is in the world
    std::filesystem::path project_;
    std::vector<ProjectModel> missing_;  ///< of the project, whose files cannot be read; it keeps them
    bool recovering_ = false;            ///< what was opened last is from an autosave
    bool keepsCamera_ = false;           ///< what is being opened does not move the camera
    std::string autosaved_;
    uint64_t editRevision_ = 0;
    Notice notice_;
    std::string lastMessage_;
    uint64_t problems_ = 0;
};

}  // namespace splat::app
