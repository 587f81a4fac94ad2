#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include <splatwright/core/image.h>
#include "viewer/remote/frame_quality.h"

namespace splat::app {

/// A message to a page: JSON text, or a frame (a number of 4 bytes, the least first, and a JPEG).
struct PageMessage {
    bool isText = false;
    std::span<const std::byte> bytes;
};

/// Sends a message, and may wait until the connection has taken it. Returns false if it is closed.
using SendMessage = std::function<bool(const PageMessage&)>;

/// Sends frames to one page, on a thread of its own: encodes the newest, drops those that the connection has no time for, and sends a picture at rest once
/// more, sharper. All functions may be called by any thread.
class RemoteClient {
public:
    static constexpr size_t kMostInFlight = 3;   ///< frames that the page has not shown yet
    static constexpr double kRestSeconds = 0.3;  ///< without a new frame, after which it is sent sharper
    static constexpr size_t kMostTexts = 256;    ///< that wait; the oldest are dropped

    explicit RemoteClient(SendMessage send);
    /// Waits for the message that is being sent.
    ~RemoteClient();
    RemoteClient(const RemoteClient&) = delete;
    RemoteClient& operator=(const RemoteClient&) = delete;

    void show(std::shared_ptr<const Image8> frame);
    void say(std::string text);
    /// The page shows the frame of this number. Throws InputError if it was not sent.
    void shown(uint32_t frame);
    /// Whether a frame would be sent at once.
    bool isReady() const;

private:
    struct Sent {
        uint32_t number;
        double time;  ///< of the clock, seconds
    };

    void run();
    bool sendNext(std::unique_lock<std::mutex>& lock);
    bool sendTexts(std::unique_lock<std::mutex>& lock);
    bool sendFrame(std::unique_lock<std::mutex>& lock, bool sharp);
    bool isFrameDue() const { return isFrameNew_ && inFlight_.size() < kMostInFlight; }
    bool isAtRest() const;

    const SendMessage send_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<const Image8> frame_;  ///< the newest
    bool isFrameNew_ = false, isSharp_ = false, stops_ = false;
    double lastSent_ = 0;  ///< time of the last frame, seconds
    uint32_t number_ = 0;
    std::deque<Sent> inFlight_;
    std::deque<std::string> texts_;
    FrameQuality quality_;
    std::thread thread_;
};

}  // namespace splat::app
