#pragma once

#ifndef _WIN32
#include <sys/resource.h>
#include <csignal>
#endif
#include <cstdint>

namespace splat::test {

/// While it exists, no file of this process can become larger: writes fail as on a full disk. Windows has no such limit, and its tests are left out.
class FileSizeLimit {
public:
#ifdef _WIN32
    explicit FileSizeLimit(uint64_t /*bytes*/) {}
#else
    explicit FileSizeLimit(uint64_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
#endif
};

}  // namespace splat::test
