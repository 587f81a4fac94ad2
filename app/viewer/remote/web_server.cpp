#include "viewer/remote/web_server.h"

#include <splatwright/core/error.h>

#ifdef SPLAT_HAS_CIVETWEB

#include <array>
#include <span>
#include <string_view>

#include <civetweb.h>

#include <splatwright/core/log.h>
#include <splatwright/core/names.h>
#include "viewer/remote/remote_page.h"
#include "viewer/remote/token.h"

namespace splat::app {

namespace {

constexpr const char* kStream = "/stream";
constexpr int kHandled = 1, kGoOn = 0;        // what the library does after onRequest()
constexpr int kKeep = 1, kClose = 0;          // and after onMessage()
constexpr uint16_t kPolicyViolated = 1008;    // RFC 6455, 7.4.1
constexpr int kFinal = 0x80, kOpcode = 0x0f;  // bits of a frame
constexpr size_t kMostReason = 123;           // bytes in a control frame, without the code

/// What the page may do: run what it contains, show pictures that it makes, and speak with its own server.
constexpr const char* kPageHeaders =
    "200 OK\r\nContent-Type: text/html; charset=utf-8\r\nReferrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nContent-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'self'\r\n";

}  // namespace

struct WebServer::State {
    Audience& audience;
    WebAddress where;
    std::string token = randomToken();
    mg_context* context = nullptr;

    static State& of(const mg_connection* connection) { return *static_cast<State*>(mg_get_request_info(connection)->user_data); }
    static int onRequest(mg_connection* connection);
    static int onConnect(const mg_connection* connection, void*);
    static void onReady(mg_connection* connection, void*);
    static int onMessage(mg_connection* connection, int bits, char* data, size_t size, void*);
    static void onClose(const mg_connection* connection, void*);
    static int log(const mg_connection*, const char* message);

    bool isAllowed(const mg_request_info& request) const;
    void listen();
};

namespace {

/// A connection's page, where the library keeps it.
Audience::Id idOf(const mg_connection* connection) { return reinterpret_cast<Audience::Id>(mg_get_user_connection_data(connection)); }

void answer(mg_connection* connection, const std::string& head, std::string_view body, bool withBody) {
    const std::string text =
        fmt::format("HTTP/1.1 {}Cache-Control: no-store\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", head, body.size());
    mg_write(connection, text.data(), text.size());
    if (withBody) mg_write(connection, body.data(), body.size());
}

/// The library's own function answers nothing to a request for a WebSocket.
void refuse(mg_connection* connection, std::string_view status, std::string_view why) {
    answer(connection, fmt::format("{}\r\nContent-Type: text/plain; charset=utf-8\r\n", status), fmt::format("{}\n", why), true);
}

void closeWithReason(mg_connection* connection, std::string_view reason) {
    std::string body{static_cast<char>(kPolicyViolated >> 8U), static_cast<char>(kPolicyViolated & 0xffU)};
    body += reason.substr(0, kMostReason);
    mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, body.data(), body.size());
}

SendMessage senderTo(mg_connection* connection) {
    return [connection](const PageMessage& message) {
        const int opcode = message.isText ? MG_WEBSOCKET_OPCODE_TEXT : MG_WEBSOCKET_OPCODE_BINARY;
        return mg_websocket_write(connection, opcode, reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()) > 0;
    };
}

}  // namespace

bool WebServer::State::isAllowed(const mg_request_info& request) const {
    std::array<char, 128> given{};
    const std::string_view query = request.query_string ? request.query_string : "";
    const int length = mg_get_var(query.data(), query.size(), "token", given.data(), given.size());
    return length >= 0 && isToken({given.data(), static_cast<size_t>(length)}, token);
}

/// Comes before everything else that the library does with a request.
int WebServer::State::onRequest(mg_connection* connection) {
    const mg_request_info& request = *mg_get_request_info(connection);
    const std::string_view method = request.request_method, path = request.local_uri ? request.local_uri : "";
    if (!of(connection).isAllowed(request)) {
        spdlog::debug("a request from {} without the token is refused", request.remote_addr);
        refuse(connection, "403 Forbidden", "open the address that the viewer has printed, with its token");
    } else if (path == kStream && method == "GET") {
        return kGoOn;
    } else if (path != "/") {
        refuse(connection, "404 Not Found", "there is only /");
    } else if (method != "GET" && method != "HEAD") {
        refuse(connection, "405 Method Not Allowed", "expected GET");
    } else {
        answer(connection, kPageHeaders, remotePage(), method == "GET");
    }
    return kHandled;
}

int WebServer::State::onConnect(const mg_connection*, void*) { return 0; }

void WebServer::State::onReady(mg_connection* connection, void*) {
    try {
        const Audience::Id id = of(connection).audience.join(senderTo(connection));
        mg_set_user_connection_data(connection,
                                    reinterpret_cast<void*>(id));  // NOLINT(performance-no-int-to-ptr): the library keeps pointers
        spdlog::info("a browser at {} is connected", mg_get_request_info(connection)->remote_addr);
    } catch (const std::exception& problem) {
        closeWithReason(connection, problem.what());
    }
}

/// A page that is told to go answers with the opcode of closing, and is not listened to meanwhile.
int WebServer::State::onMessage(mg_connection* connection, int bits, char* data, size_t size, void*) {
    if ((bits & kOpcode) == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE || idOf(connection) == 0) return kClose;
    try {
        if ((bits & kOpcode) != MG_WEBSOCKET_OPCODE_TEXT || (bits & kFinal) == 0)
            throw InputError("found a frame of type {:#04x}, expected whole text messages", bits & 0xff);
        of(connection).audience.take(idOf(connection), {data, size});
    } catch (const std::exception& problem) {
        const std::string reason = printable(problem.what());
        spdlog::warn("the browser at {} is disconnected: {}", mg_get_request_info(connection)->remote_addr, reason);
        of(connection).audience.leave(idOf(connection));
        mg_set_user_connection_data(connection, nullptr);
        closeWithReason(connection, reason);
    }
    return kKeep;
}

void WebServer::State::onClose(const mg_connection* connection, void*) {
    if (idOf(connection) == 0) return;
    of(connection).audience.leave(idOf(connection));
    spdlog::info("a browser at {} has left", mg_get_request_info(connection)->remote_addr);
}

int WebServer::State::log(const mg_connection*, const char* message) {
    spdlog::debug("web server: {}", printable(message));
    return 1;  // the library writes nothing itself
}

void WebServer::State::listen() {
    const std::string port = fmt::format("{}:{}", where.address, where.port);
    // One thread per connection. A page that answers no ping for half a minute is gone.
    const std::string threads = std::to_string(Audience::kMostClients + 4);
    const char* options[] = {"listening_ports",
                             port.c_str(),
                             "num_threads",
                             threads.c_str(),
                             "request_timeout_ms",
                             "10000",
                             "websocket_timeout_ms",
                             "5000",
                             "enable_websocket_ping_pong",
                             "yes",
                             "tcp_nodelay",
                             "1",
                             "enable_directory_listing",
                             "no",
                             nullptr};
    mg_callbacks callbacks{};
    callbacks.begin_request = onRequest;
    callbacks.log_message = log;
    std::array<char, 256> text{};
    unsigned code = 0;
    mg_init_data init{.callbacks = &callbacks, .user_data = this, .configuration_options = options};
    mg_error_data error{.code = &code, .text = text.data(), .text_buffer_size = text.size()};
    context = mg_start2(&init, &error);
    if (!context) throw Error("--serve: cannot listen at {}: {}", port, printable(text.data()));
    mg_set_websocket_handler(context, kStream, onConnect, onReady, onMessage, onClose, nullptr);
    std::array<mg_server_port, 1> ports{};
    if (mg_get_server_ports(context, static_cast<int>(ports.size()), ports.data()) > 0) where.port = static_cast<uint16_t>(ports[0].port);
}

WebServer::WebServer(Audience& audience, const WebAddress& where) : state_(new State{.audience = audience, .where = where}) {
    mg_init_library(MG_FEATURES_DEFAULT);
    if (mg_check_feature(MG_FEATURES_WEBSOCKET) == 0) throw Error("--serve: this build's civetweb has no WebSockets, expected one with");
    state_->listen();
}

WebServer::~WebServer() {
    mg_stop(state_->context);
    mg_exit_library();
}

std::string WebServer::url() const {
    const std::string host = state_->where.address == "0.0.0.0" ? "127.0.0.1" : state_->where.address;
    return fmt::format("http://{}:{}/?token={}", host, state_->where.port, state_->token);
}

}  // namespace splat::app

#else

namespace splat::app {

struct WebServer::State {};

WebServer::WebServer(Audience&, const WebAddress&) {
    throw Error("--serve: this build was made without libcivetweb-dev, which serves pages: install it, configure and build again");
}

WebServer::~WebServer() = default;

std::string WebServer::url() const { return ""; }

}  // namespace splat::app

#endif
