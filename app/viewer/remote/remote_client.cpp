#include "viewer/remote/remote_client.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/log.h>
#include <splatwright/scene/images/jpeg_writer.h>
#include "viewer/window/clock.h"

namespace splat::app {

RemoteClient::RemoteClient(SendMessage send) : send_(std::move(send)), thread_([this] { run(); }) {}

RemoteClient::~RemoteClient() {
    {
        const std::lock_guard lock(mutex_);
        stops_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void RemoteClient::show(std::shared_ptr<const Image8> frame) {
    const std::lock_guard lock(mutex_);
    frame_ = std::move(frame);
    isFrameNew_ = true;
    changed_.notify_all();
}

void RemoteClient::say(std::string text) {
    const std::lock_guard lock(mutex_);
    if (texts_.size() == kMostTexts) texts_.pop_front();
    texts_.push_back(std::move(text));
    changed_.notify_all();
}

/// Pages answer in order; a number says that all before it have been shown, too.
void RemoteClient::shown(uint32_t frame) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(inFlight_, frame, &Sent::number);
    if (found == inFlight_.end()) throw InputError("'frame': found {}, expected the number of a frame that is not shown yet", frame);
    quality_.took(now() - found->time);
    inFlight_.erase(inFlight_.begin(), found + 1);
    changed_.notify_all();
}

bool RemoteClient::isReady() const {
    const std::lock_guard lock(mutex_);
    return !isFrameNew_ && inFlight_.size() < kMostInFlight;
}

bool RemoteClient::isAtRest() const {
    return frame_ && !isFrameNew_ && !isSharp_ && inFlight_.empty() && now() - lastSent_ >= kRestSeconds;
}

void RemoteClient::run() {
    try {
        std::unique_lock lock(mutex_);
        while (!stops_) {
            if (!sendNext(lock)) return;
            const auto isDue = [this] { return stops_ || !texts_.empty() || isFrameDue() || isAtRest(); };
            const bool mayRest = frame_ && !isSharp_;
            if (mayRest)
                changed_.wait_for(lock, std::chrono::duration<double>(kRestSeconds), isDue);
            else
                changed_.wait(lock, isDue);
        }
    } catch (const std::exception& problem) {
        spdlog::warn("a browser gets no more frames: {}", problem.what());
    }
}

/// Returns false if the connection is closed.
bool RemoteClient::sendNext(std::unique_lock<std::mutex>& lock) {
    if (!sendTexts(lock)) return false;
    if (isFrameDue()) return sendFrame(lock, false);
    return !isAtRest() || sendFrame(lock, true);
}

bool RemoteClient::sendTexts(std::unique_lock<std::mutex>& lock) {
    while (!texts_.empty() && !stops_) {
        const std::string text = std::move(texts_.front());
        texts_.pop_front();
        lock.unlock();
        const bool sent = send_({.isText = true, .bytes = std::as_bytes(std::span(text))});
        lock.lock();
        if (!sent) return false;
    }
    return true;
}

bool RemoteClient::sendFrame(std::unique_lock<std::mutex>& lock, bool sharp) {
    const std::shared_ptr<const Image8> frame = frame_;
    const uint32_t number = ++number_;
    const int quality = sharp ? FrameQuality::kStill : quality_.quality();
    isFrameNew_ = false;
    isSharp_ = sharp;
    lock.unlock();
    std::vector<std::byte> message;
    for (const uint32_t shift : {0U, 8U, 16U, 24U}) message.push_back(static_cast<std::byte>(number >> shift));
    const std::vector<std::byte> jpeg = encodedJpeg(*frame, quality, sharp ? JpegColours::full : JpegColours::halved);
    message.insert(message.end(), jpeg.begin(), jpeg.end());
    lock.lock();
    lastSent_ = now();
    inFlight_.push_back({number, lastSent_});
    lock.unlock();
    const bool sent = send_({.isText = false, .bytes = message});
    lock.lock();
    return sent;
}

}  // namespace splat::app
