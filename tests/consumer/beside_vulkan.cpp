// Counts Vulkan's devices by itself and by the library, whose own functions must not meet those of a program: those of Vulkan that it is linked with, and
// its own namespace `splat`.
#include <cstdlib>
#include <iostream>

#include <vulkan/vulkan.h>

#include <splatwright/device.h>
#include <splatwright/scene.h>

namespace splat {

/// Has the name of a function of the engine.
struct Gaussians {
    void resize(size_t count, int degree);
};
void Gaussians::resize(size_t /*count*/, int /*degree*/) { std::abort(); }

}  // namespace splat

int main() {
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    VkInstance instance = nullptr;
    uint32_t count = 0;
    if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS) return EXIT_FAILURE;
    if (vkEnumeratePhysicalDevices(instance, &count, nullptr) != VK_SUCCESS) return EXIT_FAILURE;
    vkDestroyInstance(instance, nullptr);
    const splatwright::Splats splats{
        .positions = {{0, 0, 0}}, .logScales = {{0, 0, 0}}, .rotations = {{1, 0, 0, 0}}, .logitOpacities = {0}, .sh = {{0, 0, 0}}};
    splatwright::writeSplats("one.ply", splats);
    std::cout << count << " devices, " << splatwright::listDevices().size() << " for the library, "
              << splatwright::readSplats("one.ply").size() << " splat\n";
    splat::Gaussians own;
    if (count == 0) own.resize(0, 0);
}
