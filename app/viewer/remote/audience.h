#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <splatwright/core/image.h>
#include "viewer/remote/client_message.h"
#include "viewer/remote/remote_client.h"

namespace splat::app {

/// The pages that show the viewer. The first one controls it and all others watch; a page that asks for it takes control, and if the one in control
/// leaves, the one that has been there longest has it. All functions may be called by any thread.
class Audience {
public:
    using Id = uint64_t;
    static constexpr size_t kMostClients = 8;
    static constexpr size_t kMostInput = 4096;  ///< messages that the viewer has not taken

    /// A page's connection. Throws Error if there are kMostClients. `send` is not called after leave().
    Id join(SendMessage send);
    void leave(Id id);
    /// A message of a page; input of those that watch is ignored. Throws InputError for one that is invalid, or too many for the viewer.
    void take(Id id, std::string_view message);

    bool empty() const;
    /// Hands a frame to all pages, and to those that come before the next one.
    void show(std::shared_ptr<const Image8> frame);
    /// Input since the last call, in order; moves of the pointer, one after the other, are one.
    std::vector<ClientMessage> takeInput();
    /// Sleeps until there is input, or for the given time.
    void waitForInput(double seconds);
    /// Sleeps until a page can take a frame, or for the given time.
    void waitForRoom(double seconds);
    /// Sends JSON to the page in control.
    void tellController(const std::string& text);

private:
    struct Client {
        std::unique_ptr<RemoteClient> sender;
        std::optional<Resized> size;  ///< of its page
    };

    void giveControl(Id id);
    void tellRoles();
    void addInput(const ClientMessage& message);

    mutable std::mutex mutex_;
    std::condition_variable hasInput_, hasRoom_;
    std::map<Id, Client> clients_;  ///< oldest first
    Id controller_ = 0, last_ = 0;
    std::vector<ClientMessage> input_;
    std::shared_ptr<const Image8> frame_;
};

}  // namespace splat::app
