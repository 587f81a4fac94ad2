#include <splatwright/scene/formats/gltf_nodes.h>

#include <algorithm>

#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>

#include <splatwright/core/error.h>

namespace splat {
namespace {

std::vector<double> numbersOr(const GltfObject& node, const char* key, const std::vector<double>& otherwise) {
    const std::vector<double> numbers = node.numbers(key, otherwise.size());
    return numbers.empty() ? otherwise : numbers;
}

glm::dmat4 transformOf(const GltfObject& node) {
    const std::vector<double> matrix = node.numbers("matrix", 16);
    if (!matrix.empty()) return glm::make_mat4(matrix.data());
    const std::vector<double> t = numbersOr(node, "translation", {0, 0, 0});
    const std::vector<double> q = numbersOr(node, "rotation", {0, 0, 0, 1});
    const std::vector<double> s = numbersOr(node, "scale", {1, 1, 1});
    glm::dmat4 transform(glm::mat3_cast(glm::normalize(glm::dquat(q[3], q[0], q[1], q[2]))));
    for (int c = 0; c < 3; ++c) transform[c] *= s[static_cast<size_t>(c)];
    transform[3] = {t[0], t[1], t[2], 1};
    return transform;
}

/// The nodes of the scene, or those that are no other's child.
std::vector<size_t> rootsOf(const GltfObject& all) {
    if (all.size("scenes") > 0) return all.item("scenes", all.whole("scene", 0)).indices("nodes");
    std::vector<bool> isChild(all.size("nodes"));
    for (size_t n = 0; n < isChild.size(); ++n) {
        for (const size_t child : all.item("nodes", n).indices("children"))
            if (child < isChild.size()) isChild[child] = true;
    }
    std::vector<size_t> roots;
    for (size_t n = 0; n < isChild.size(); ++n)
        if (!isChild[n]) roots.push_back(n);
    return roots;
}

}  // namespace

std::vector<GltfNode> gltfNodes(const GltfFile& file) {
    struct Waiting {
        size_t node;
        glm::dmat4 parent;
    };
    const GltfObject all = file.root();
    std::vector<Waiting> waiting;  // the next one last
    for (const size_t root : rootsOf(all)) waiting.push_back({root, glm::dmat4(1)});
    std::ranges::reverse(waiting);
    std::vector<bool> seen(all.size("nodes"));
    std::vector<GltfNode> nodes;
    while (!waiting.empty()) {
        const auto [index, parent] = waiting.back();
        waiting.pop_back();
        const GltfObject node = all.item("nodes", index);
        if (seen[index]) throw InputError("{}: is a child twice, expected nodes that are trees", node.where());
        seen[index] = true;
        const glm::dmat4 transform = parent * transformOf(node);
        if (node.has("mesh")) nodes.push_back({node.where(), node.whole("mesh"), transform});
        std::vector<size_t> children = node.indices("children");
        std::ranges::reverse(children);
        for (const size_t child : children) waiting.push_back({child, transform});
    }
    return nodes;
}

}  // namespace splat
