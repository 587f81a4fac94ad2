#include "viewer/remote/audience.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include <splatwright/core/parse_json.h>

namespace splat::app {

namespace {

using Json = nlohmann::json;

std::chrono::duration<double> secondsOf(double seconds) { return std::chrono::duration<double>(seconds); }

}  // namespace

Audience::Id Audience::join(SendMessage send) {
    const std::lock_guard lock(mutex_);
    if (clients_.size() == kMostClients) throw Error("there are {} pages, as many as can be", kMostClients);
    const Id id = ++last_;
    Client& client = clients_[id];
    client.sender = std::make_unique<RemoteClient>(std::move(send));
    if (frame_) client.sender->show(frame_);
    if (clients_.size() == 1) giveControl(id);
    tellRoles();
    return id;
}

void Audience::leave(Id id) {
    std::unique_ptr<RemoteClient> sender;  // ends after the lock: its last message may take a while
    const std::lock_guard lock(mutex_);
    const auto found = clients_.find(id);
    if (found == clients_.end()) return;
    sender = std::move(found->second.sender);
    clients_.erase(found);
    if (id == controller_) giveControl(clients_.empty() ? 0 : clients_.begin()->first);
    tellRoles();
}

/// What was held in the page before is released, and the picture has the size of the new one.
void Audience::giveControl(Id id) {
    controller_ = id;
    input_.emplace_back(FocusLost{});
    const auto found = clients_.find(id);
    if (found != clients_.end() && found->second.size) input_.emplace_back(*found->second.size);
    hasInput_.notify_all();
}

void Audience::tellRoles() {
    for (const auto& [id, client] : clients_)
        client.sender->say(jsonText(Json{{"type", "role"}, {"controls", id == controller_}, {"pages", clients_.size()}}));
}

void Audience::take(Id id, std::string_view text) {
    const ClientMessage message = parseClientMessage(text);
    const std::lock_guard lock(mutex_);
    Client& client = clients_.at(id);
    if (const auto* shown = std::get_if<FrameShown>(&message)) {
        client.sender->shown(shown->frame);
        hasRoom_.notify_all();
    } else if (const auto* ping = std::get_if<Ping>(&message)) {
        client.sender->say(jsonText(Json{{"type", "pong"}, {"number", ping->number}}));
    } else if (std::holds_alternative<ControlWanted>(message)) {
        if (id != controller_) giveControl(id);
        tellRoles();
    } else {
        if (const auto* size = std::get_if<Resized>(&message)) client.size = *size;
        if (id == controller_) addInput(message);
    }
}

void Audience::addInput(const ClientMessage& message) {
    if (input_.size() >= kMostInput) throw InputError("found {} messages that the viewer has not taken, expected fewer", input_.size());
    const bool moves = std::holds_alternative<PointerMoved>(message);
    if (moves && !input_.empty() && std::holds_alternative<PointerMoved>(input_.back())) {
        input_.back() = message;
    } else {
        input_.push_back(message);
    }
    hasInput_.notify_all();
}

bool Audience::empty() const {
    const std::lock_guard lock(mutex_);
    return clients_.empty();
}

void Audience::show(std::shared_ptr<const Image8> frame) {
    const std::lock_guard lock(mutex_);
    frame_ = std::move(frame);
    for (auto& [id, client] : clients_) client.sender->show(frame_);
}

std::vector<ClientMessage> Audience::takeInput() {
    const std::lock_guard lock(mutex_);
    return std::exchange(input_, {});
}

void Audience::waitForInput(double seconds) {
    std::unique_lock lock(mutex_);
    hasInput_.wait_for(lock, secondsOf(seconds), [this] { return !input_.empty(); });
}

void Audience::waitForRoom(double seconds) {
    std::unique_lock lock(mutex_);
    hasRoom_.wait_for(lock, secondsOf(seconds),
                      [this] { return std::ranges::any_of(clients_, [](const auto& client) { return client.second.sender->isReady(); }); });
}

void Audience::tellController(const std::string& text) {
    const std::lock_guard lock(mutex_);
    const auto found = clients_.find(controller_);
    if (found != clients_.end()) found->second.sender->say(text);
}

}  // namespace splat::app
