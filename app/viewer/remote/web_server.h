#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "viewer/remote/audience.h"

namespace splat::app {

struct WebAddress {
    std::string address = "127.0.0.1";  ///< IPv4, of an interface of this machine; 0.0.0.0: all
    uint16_t port = 0;                  ///< 0: any that is free
};

/// Serves the page that shows the viewer, and its connections. Every request needs the token of the address; any other gets 403.
class WebServer {
public:
    /// Throws Error if the build has no web server, or if it cannot listen there. The audience must outlive it.
    WebServer(Audience& audience, const WebAddress& where);
    /// Closes all connections.
    ~WebServer();
    WebServer(const WebServer&) = delete;
    WebServer& operator=(const WebServer&) = delete;

    /// "http://127.0.0.1:41234/?token=..."; of all interfaces, that of this machine for itself.
    std::string url() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace splat::app
