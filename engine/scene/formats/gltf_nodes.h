#pragma once

#include <vector>

#include <glm/glm.hpp>

#include <splatwright/scene/formats/gltf_file.h>

namespace splat {

/// A node that shows a mesh.
struct GltfNode {
    std::string where;
    size_t mesh;
    glm::dmat4 transform;  ///< from the mesh to the scene
};

/// The nodes of the file's scene that show meshes, parents before children; of all nodes if it has no scene. Throws InputError unless the nodes
/// are trees.
std::vector<GltfNode> gltfNodes(const GltfFile& file);

}  // namespace splat
