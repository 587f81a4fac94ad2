// Renders splats from a circle of cameras into the memory of the host, and prints how bright each image is.
//
// usage: render_path SPLATS VIEWS
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <utility>
#include <vector>

#include <splatwright/device.h>
#include <splatwright/render.h>
#include <splatwright/scene.h>

namespace {

double brightness(const splatwright::ImageF& image) {
    return std::accumulate(image.pixels.begin(), image.pixels.end(), 0.0) / static_cast<double>(image.pixels.size());
}

void render(const char* path, size_t views) {
    splatwright::Device device;
    const splatwright::Splats splats = splatwright::readSplats(path);
    const std::vector<splatwright::Camera> cameras = splatwright::orbit(splats, views, 64, 48);

    splatwright::Renderer renderer(device, splats);
    std::vector<splatwright::ImageF> images;
    renderer.renderPath(cameras, [&](size_t /*index*/, splatwright::ImageF image) {
        images.push_back(std::move(image));
        return true;  // false ends the path
    });
    for (const splatwright::ImageF& image : images) std::cout << "brightness " << brightness(image) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return std::cerr << "usage: render_path SPLATS VIEWS\n", EXIT_FAILURE;
    try {
        render(argv[1], std::strtoul(argv[2], nullptr, 10));
    } catch (const splatwright::Error& problem) {
        std::cerr << problem.what() << '\n';
        return EXIT_FAILURE;
    }
}
