#include <splatwright/api/train_options.h>

#include <splatwright/api/convert.h>
#include <splatwright/api/translate.h>
#include <splatwright/core/error.h>
#include <splatwright/train/checkpoint/checkpoint.h>
#include <splatwright/train/presets/presets.h>
#include <splatwright/train/presets/requested_settings.h>
#include <splatwright/train/session/resume.h>

namespace splatwright {

namespace {

splat::SettingsRequest requestOf(const TrainOptions& options) {
    splat::SettingsRequest request{.preset = options.preset, .config = options.config, .values = {}};
    for (const SettingValue& setting : options.settings) request.values.push_back({setting.name, setting.value});
    return request;
}

/// The settings; of a resumed run also the format of its dataset, in `reading`.
splat::TrainSettings settingsOf(const TrainOptions& options, splat::DatasetOptions& reading) {
    if (options.resume.empty()) return splat::resolveSettings(requestOf(options));
    const splat::Checkpoint resumed = splat::readCheckpoint(options.resume);
    reading.format = splat::resumedFormat(reading.format, resumed, "reading.format");
    return splat::resumedSettings(requestOf(options), resumed);
}

}  // namespace

splat::SessionOptions sessionOptions(const TrainOptions& options) {
    splat::SessionOptions session;
    session.data = options.data;
    session.reading = engineReading(options.reading);
    session.settings = settingsOf(options, session.reading);
    for (const uint32_t step : options.evaluateAt) {
        if (step < 1 || step > session.settings.steps)
            throw splat::InputError("evaluateAt: found step {}, expected 1 to {} (steps)", step, session.settings.steps);
    }
    session.dataset = splat::loadDataset(session.data, session.reading);  // before the folder is made
    session.folder = options.folder;
    session.overwrite = options.overwrite;
    session.resume = options.resume;
    session.evaluateAt = options.evaluateAt;
    session.version = SPLAT_VERSION;
    return session;
}

std::vector<SettingInfo> trainSettings(const TrainOptions& options) {
    return translated([&] {
        splat::DatasetOptions reading = engineReading(options.reading);
        splat::TrainSettings settings = settingsOf(options, reading);
        std::vector<SettingInfo> infos;
        for (const splat::SettingField& field : splat::settingsOf(splat::SettingUse::scenes, splat::settingFields(settings)))
            infos.push_back(
                {std::string(field.name), splat::settingText(field), std::string(field.about.help), splat::settingLimits(field)});
        return infos;
    });
}

std::vector<std::string> trainPresets() {
    std::vector<std::string> names;
    for (const splat::Preset& preset : splat::presetsFor("train")) names.emplace_back(preset.name);
    return names;
}

}  // namespace splatwright
