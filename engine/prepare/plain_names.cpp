#include <splatwright/prepare/plain_names.h>

#include <algorithm>

#include <splatwright/core/error.h>

namespace splat::prepare {

namespace fs = std::filesystem;

PlainNames::PlainNames(const PosesInput& given, bool listsPairs) : input_(given) {
    const auto hasBlank = [](const Photograph& photograph) { return photograph.name.find(' ') != std::string::npos; };
    if (listsPairs && std::ranges::any_of(given.photographs, hasBlank)) link(given);
}

/// Folders stay apart, because each has a camera of its own, and the order of names stays as well.
void PlainNames::link(const PosesInput& given) {
    const fs::path images = given.work / "plain", masks = given.work / "plain-masks";
    std::error_code ignored;
    for (const fs::path& folder : {images, masks}) fs::remove_all(folder, ignored);
    std::map<fs::path, size_t> folders;
    std::map<std::string, std::string> plain;
    for (size_t i = 0; i < given.photographs.size(); ++i) {
        std::string& name = input_.photographs[i].name;
        const fs::path folder = fs::path(name).parent_path();
        const size_t number = folders.try_emplace(folder, folders.size()).first->second;
        const std::string other = fmt::format("{:03}/{:06}{}", number, i, fs::path(name).extension().string());
        place(given.images / name, images / other);
        const fs::path mask = given.masks / (name + ".png");
        if (!given.masks.empty() && fs::exists(mask, ignored)) place(mask, masks / (other + ".png"));
        given_[other] = name;
        plain[name] = other;
        name = other;
    }
    input_.images = images;
    if (!given.masks.empty()) input_.masks = masks;
    if (given.up)
        input_.up = [this, up = given.up](const ModelImage& image) {
            return up({.id = image.id, .rotation = image.rotation, .translation = image.translation, .name = givenName(image.name)});
        };
    if (!given.known) return;
    known_ = *given.known;
    for (ModelImage& image : known_.images) image.name = plain.at(image.name);
    input_.known = &known_;
}

const std::string& PlainNames::givenName(const std::string& plain) const {
    const auto found = given_.find(plain);
    return found == given_.end() ? plain : found->second;
}

Poses PlainNames::given(Poses poses) const {
    for (ModelImage& image : poses.model.images) image.name = givenName(image.name);
    for (LeftOut& photograph : poses.unregistered) photograph.name = givenName(photograph.name);
    return poses;
}

}  // namespace splat::prepare
