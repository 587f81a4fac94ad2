#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include <splatwright/core/platform/process.h>

namespace splat::platform {

/// Pipes to the streams of a program: its outputs are read and its input is fed by one thread, without waiting for either.
class Pipes {
public:
    /// Throws Error.
    explicit Pipes(bool withInput);
    ~Pipes();
    Pipes(const Pipes&) = delete;
    Pipes& operator=(const Pipes&) = delete;

    /// The ends that the program gets; closed here once it has them.
    ProgramStreams programs() const;
    void closePrograms();

    struct Handlers {
        std::function<void(std::span<const std::byte>)> output, errors;  ///< take bytes in pieces of any size
        std::function<std::span<const std::byte>()> input;  ///< gives the next bytes, which stay until the next call; none end it
    };
    /// Reads what has come and feeds what there is room for; waits for either at most this long. Returns whether there was anything.
    bool exchange(const Handlers& handlers, std::chrono::milliseconds wait);

    bool isOutputOpen() const;
    void closeInput();

private:
    struct Ends;
    std::unique_ptr<Ends> ends_;
};

}  // namespace splat::platform
