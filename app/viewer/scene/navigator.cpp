#include "viewer/scene/navigator.h"

#include <algorithm>
#include <cmath>

#include <splatwright/core/error.h>

namespace splat::app {

namespace {

constexpr double kSteepest = 89.5;  // degrees: straight up or down, right and left would change places
constexpr double kNearest = 1e-4;   // of the distance: closer, a turn of the wheel moves nothing any more
constexpr double kMargin = 2;       // of a framed ball: half of a model's opacity lies in its extent, not all

}  // namespace

void Navigator::setUp(const glm::dvec3& up) {
    if (!(glm::length(up) > 0)) throw InputError("up is {},{},{}, expected a direction", up.x, up.y, up.z);
    up_ = glm::normalize(up);
    const glm::dvec3 notParallel = std::abs(up_.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    side_ = glm::normalize(glm::cross(notParallel, up_));
    front_ = glm::cross(up_, side_);
}

void Navigator::setFieldOfView(double degrees) { fieldOfView_ = std::clamp<double>(degrees, kLeastFieldOfView, kMostFieldOfView); }

glm::dvec3 Navigator::forward() const {
    const double yaw = glm::radians(yaw_), pitch = glm::radians(pitch_);
    return std::cos(pitch) * (std::cos(yaw) * front_ + std::sin(yaw) * side_) - std::sin(pitch) * up_;
}

glm::dvec3 Navigator::right() const { return glm::normalize(glm::cross(forward(), up_)); }

Camera Navigator::camera(glm::uvec2 size) const {
    const auto width = static_cast<int>(size.x), height = static_cast<int>(size.y);
    const double focal = std::min(width, height) * 0.5 / std::tan(glm::radians(fieldOfView_) / 2);
    Camera camera{width, height, focal, focal, width / 2.0, height / 2.0};
    camera.rotation = glm::transpose(glm::dmat3(right(), glm::cross(forward(), right()), forward()));
    camera.translation = -(camera.rotation * eye());
    return camera;
}

void Navigator::orbit(double yaw, double pitch) {
    yaw_ = std::remainder(yaw_ + yaw, 360);
    pitch_ = std::clamp(pitch_ + pitch, -kSteepest, kSteepest);
}

void Navigator::look(double yaw, double pitch) {
    const glm::dvec3 stays = eye();
    orbit(yaw, pitch);
    target_ = stays + distance_ * forward();
}

void Navigator::pan(double right, double down) {
    const double height = 2 * distance_ * std::tan(glm::radians(fieldOfView_) / 2);
    target_ -= height * (right * this->right() + down * glm::cross(forward(), this->right()));
}

void Navigator::zoom(double factor) { distance_ = std::max(distance_ * factor, kNearest); }

void Navigator::fly(const glm::dvec3& steps) {
    target_ += distance_ * (steps.x * right() + steps.y * glm::cross(forward(), right()) + steps.z * forward());
}

void Navigator::frame(const Extent& extent) {
    target_ = extent.centre;
    distance_ = std::max(kMargin * extent.radius / std::sin(glm::radians(fieldOfView_) / 2), kNearest);
}

void Navigator::reset(const Extent& extent) {
    yaw_ = 0;
    pitch_ = 20;
    frame(extent);
}

void Navigator::focus(const glm::dvec3& point) {
    const glm::dvec3 from = eye();
    if (glm::distance(from, point) > kNearest) look(from, point);
}

void Navigator::look(const glm::dvec3& eye, const glm::dvec3& target) {
    target_ = target;
    distance_ = std::max(glm::distance(eye, target), kNearest);
    const glm::dvec3 forward = (target - eye) / distance_;
    pitch_ = std::clamp(glm::degrees(-std::asin(std::clamp(glm::dot(forward, up_), -1.0, 1.0))), -kSteepest, kSteepest);
    yaw_ = glm::degrees(std::atan2(glm::dot(forward, side_), glm::dot(forward, front_)));
}

void Navigator::follow(const Camera& camera) {
    const glm::dvec3 eye = camera.position();
    const glm::dvec3 forward(camera.rotation[0][2], camera.rotation[1][2], camera.rotation[2][2]);
    const double focal = camera.width < camera.height ? camera.fx : camera.fy;
    setFieldOfView(glm::degrees(2 * std::atan(0.5 * std::min(camera.width, camera.height) / focal)));
    look(eye, eye + distance_ * forward);
}

}  // namespace splat::app
