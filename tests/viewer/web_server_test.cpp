// What the web server answers to whom. The library's own client asks.
#ifdef SPLAT_HAS_CIVETWEB

#include "viewer/remote/web_server.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include <civetweb.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <splatwright/core/error.h>
#include "viewer/remote/remote_page.h"

namespace splat::app {
namespace {

using nlohmann::json;

struct Close {
    void operator()(mg_connection* connection) const { mg_close_connection(connection); }
};
using Connection = std::unique_ptr<mg_connection, Close>;

/// A WebSocket, as a page has it.
struct Socket {
    Socket(int port, const std::string& path) {
        std::array<char, 256> error{};
        connection.reset(
            mg_connect_websocket_client("127.0.0.1", port, 0, error.data(), error.size(), path.c_str(), nullptr, onData, onEnd, this));
        problem = error.data();
    }
    static int onData(mg_connection*, int bits, char* data, size_t size, void* self) {
        auto& socket = *static_cast<Socket*>(self);
        const std::lock_guard lock(socket.mutex);
        const std::string text(data, size);
        if ((bits & 0xf) == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) {
            socket.closed = text.size() >= 2 ? text.substr(2) : "no reason";
        } else if ((bits & 0xf) == MG_WEBSOCKET_OPCODE_BINARY) {
            ++socket.frames;
        } else {
            socket.texts.push_back(text);
        }
        socket.changed.notify_all();
        return socket.closed.empty() ? 1 : 0;
    }
    static void onEnd(const mg_connection*, void* self) {
        auto& socket = *static_cast<Socket*>(self);
        const std::lock_guard lock(socket.mutex);
        socket.ended = true;
        socket.changed.notify_all();
    }
    void say(const std::string& text, int opcode = MG_WEBSOCKET_OPCODE_TEXT) const {
        mg_websocket_client_write(connection.get(), opcode, text.data(), text.size());
    }
    bool waitsFor(const std::function<bool()>& condition) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, std::chrono::seconds(20), condition);
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::string> texts;
    std::string closed, problem;
    size_t frames = 0;
    bool ended = false;
    Connection connection;  // last: its thread uses the others
};

struct WebServers : testing::Test {
    /// Status of the answer, 0 if there is none.
    int statusOf(const std::string& request, const char* host = "127.0.0.1", std::string* body = nullptr) const {
        std::array<char, 256> error{};
        const Connection connection(mg_connect_client(host, port, 0, error.data(), error.size()));
        if (!connection) return 0;
        mg_printf(connection.get(), "%s\r\nHost: %s\r\n\r\n", request.c_str(), host);
        if (mg_get_response(connection.get(), error.data(), error.size(), 5000) < 0) return 0;
        std::array<char, 4096> piece{};
        for (int n = 0; body && (n = mg_read(connection.get(), piece.data(), piece.size())) > 0;)
            body->append(piece.data(), static_cast<size_t>(n));
        return mg_get_response_info(connection.get())->status_code;
    }
    std::string get(const std::string& path) const { return "GET " + path + " HTTP/1.1"; }

    Audience audience;
    WebServer server{audience, {}};
    const std::string url = server.url(), query = url.substr(url.find('?'));
    const int port = std::stoi(url.substr(std::string("http://127.0.0.1:").size()));
    const std::string stream = "/stream" + query;
};

TEST_F(WebServers, AnswerNoRequestWithoutTheToken) {
    EXPECT_EQ(url.find("http://127.0.0.1:"), 0U);
    const std::string upgrade =
        "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    for (const std::string& wrong :
         {std::string(), std::string("?"), std::string("?token="), std::string("?token=x"), query + "0", query.substr(0, query.size() - 1),
          "?tok" + query.substr(6), std::string("?token=") + std::string(300, 'a')}) {
        EXPECT_EQ(statusOf(get("/" + wrong)), 403) << wrong;
        EXPECT_EQ(statusOf(get("/stream" + wrong) + upgrade), 403) << wrong;
        EXPECT_EQ(statusOf(get("/etc/passwd" + wrong)), 403) << wrong;
        EXPECT_EQ(statusOf("POST /" + wrong + " HTTP/1.1"), 403) << wrong;
        const Socket socket(port, "/stream" + wrong);
        EXPECT_FALSE(socket.connection) << wrong;
    }
    EXPECT_TRUE(audience.empty());
}

TEST_F(WebServers, GiveThePageAndNothingElse) {
    std::string body;
    EXPECT_EQ(statusOf(get("/" + query), "127.0.0.1", &body), 200);
    EXPECT_EQ(body, remotePage());
    EXPECT_EQ(statusOf("HEAD /" + query + " HTTP/1.1"), 200);
    EXPECT_EQ(statusOf("POST /" + query + " HTTP/1.1"), 405);
    EXPECT_EQ(statusOf(get("/other" + query)), 404);
    EXPECT_EQ(statusOf(get("/../../etc/passwd" + query)), 404);
    EXPECT_EQ(statusOf(get(stream)), 404) << "without an upgrade";
}

TEST_F(WebServers, ListenWhereTheyAreToldAndNowhereElse) {
    EXPECT_EQ(statusOf(get("/" + query), "127.0.0.2"), 0);
    Audience other;
    const WebServer everywhere(other, {.address = "0.0.0.0", .port = 0});
    EXPECT_EQ(everywhere.url().find("http://127.0.0.1:"), 0U);
    EXPECT_NE(everywhere.url().substr(everywhere.url().find('?')), query) << "each has a token of its own";
    try {
        const WebServer same(other, {.address = "127.0.0.1", .port = static_cast<uint16_t>(port)});
        ADD_FAILURE() << "two servers at a port";
    } catch (const Error& problem) {
        EXPECT_NE(std::string(problem.what()).find("cannot listen at 127.0.0.1:" + std::to_string(port)), std::string::npos)
            << problem.what();
    }
}

TEST_F(WebServers, PagesConnectSendInputAndGetFrames) {
    Socket page(port, stream);
    ASSERT_TRUE(page.connection) << page.problem;
    EXPECT_TRUE(page.waitsFor([&] { return !page.texts.empty(); }));
    EXPECT_TRUE(json::parse(page.texts[0]).at("controls"));
    audience.takeInput();
    page.say(R"({"type": "text", "text": "hello"})");
    audience.waitForInput(10);
    const auto input = audience.takeInput();
    ASSERT_EQ(input.size(), 1U);
    EXPECT_EQ(std::get<TextTyped>(input[0]).text, "hello");
    audience.show(std::make_shared<const Image8>(64, 48, 4));
    EXPECT_TRUE(page.waitsFor([&] { return page.frames == 1; }));
    page.connection.reset();
    for (int i = 0; i < 2000 && !audience.empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(audience.empty());
}

TEST_F(WebServers, InvalidMessagesCloseTheirConnectionWithTheReasonAndNoOther) {
    Socket good(port, stream);
    ASSERT_TRUE(good.connection);
    for (const char* wrong : {"garbage", R"({"type": "move", "x": 1})", R"({"type": "key", "key": "Super", "down": true})"}) {
        Socket bad(port, stream);
        bad.say(wrong);
        EXPECT_TRUE(bad.waitsFor([&] { return bad.ended && !bad.closed.empty(); })) << wrong;
    }
    Socket binary(port, stream);
    binary.say("{}", MG_WEBSOCKET_OPCODE_BINARY);
    EXPECT_TRUE(binary.waitsFor([&] { return binary.closed.find("whole text messages") != std::string::npos; })) << binary.closed;
    Socket large(port, stream);
    large.say(std::string(kMostClientMessageBytes + 1, ' '));
    EXPECT_TRUE(large.waitsFor([&] { return large.closed.find("expected at most 65536") != std::string::npos; })) << large.closed;
    good.say(R"({"type": "ping", "number": 1})");
    EXPECT_TRUE(good.waitsFor([&] { return !good.texts.empty() && json::parse(good.texts.back()).at("type") == "pong"; }));
    EXPECT_FALSE(good.ended);
}

TEST_F(WebServers, RefuseMorePagesThanThereCanBe) {
    std::vector<std::unique_ptr<Socket>> pages;
    for (size_t i = 0; i < Audience::kMostClients; ++i) {
        pages.push_back(std::make_unique<Socket>(port, stream));
        ASSERT_TRUE(pages.back()->waitsFor([&] { return !pages.back()->texts.empty(); })) << i;
    }
    Socket more(port, stream);
    EXPECT_TRUE(more.waitsFor([&] { return !more.closed.empty(); }));
}

}  // namespace
}  // namespace splat::app

#endif
