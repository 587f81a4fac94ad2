#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <splatwright/prepare/poses.h>

namespace splat::prepare {

namespace {

/// Names of the images that the mapper tried. COLMAP numbers images in the order of extraction; nothing if the model shows another order.
std::set<std::string> triedNames(const std::vector<ExtractedImage>& extracted, const Model& model, const std::set<uint32_t>& tried) {
    std::map<uint32_t, std::string> names;
    uint32_t id = 0;
    for (const ExtractedImage& image : extracted) {
        if (image.problem.empty()) names[++id] = image.name;
    }
    const auto agrees = [&](const ModelImage& image) { return names.contains(image.id) && names[image.id] == image.name; };
    std::set<std::string> found;
    if (!std::ranges::all_of(model.images, agrees)) return found;
    for (const uint32_t each : tried) {
        if (names.contains(each)) found.insert(names[each]);
    }
    return found;
}

std::string reasonOf(const std::string& name, const std::vector<ExtractedImage>& extracted, const std::set<std::string>& tried) {
    const auto image = std::ranges::find(extracted, name, &ExtractedImage::name);
    if (image == extracted.end()) return "COLMAP did not read it";
    if (!image->problem.empty()) return "COLMAP: " + image->problem;
    if (image->features == 0) return "no features: it is blurred or shows nothing distinct";
    if (tried.contains(name))
        return fmt::format("the mapper could not register it: too few of its {} features fit the model", image->features);
    return fmt::format("no matches of its {} features with registered photographs", image->features);
}

}  // namespace

std::vector<LeftOut> reasonsOfUnregistered(const std::vector<Photograph>& photographs, const std::vector<Model>& models, size_t best,
                                           const std::vector<ExtractedImage>& extracted, const std::set<uint32_t>& tried) {
    const std::set<std::string> triedBefore = triedNames(extracted, models[best], tried);
    std::set<std::string> registered;
    for (const ModelImage& image : models[best].images) registered.insert(image.name);
    std::map<std::string, size_t> elsewhere;  // size of the other model
    for (size_t i = 0; i < models.size(); ++i) {
        for (const ModelImage& image : models[i].images) {
            if (i != best) elsewhere[image.name] = models[i].images.size();
        }
    }
    std::vector<LeftOut> reasons;
    for (const Photograph& photograph : photographs) {
        const std::string& name = photograph.name;
        if (registered.contains(name)) continue;
        const auto other = elsewhere.find(name);
        reasons.push_back({name, other == elsewhere.end()
                                     ? reasonOf(name, extracted, triedBefore)
                                     : fmt::format("it is part of a separate model of {} photographs", other->second)});
    }
    return reasons;
}

}  // namespace splat::prepare
