#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace splat::gpu {

/// A point in the queue's work: everything submitted up to it.
using Ticket = uint64_t;

/// The last submissions of a device's compute queue, so that the message of a lost device says what ran. Any thread may use it.
class SubmissionLog {
public:
    void add(Ticket ticket, const std::string& name);
    /// The passes of a submission that was added.
    void addPasses(Ticket ticket, std::vector<std::string> passes);
    /// Everything up to this ticket is known to be done.
    void reached(Ticket ticket);
    /// "'a' ran last (submission 4 of 6), 'b' (project, sort) had begun or was next". done: a ticket that is done, if reached() was not told of
    /// a later one.
    std::string text(Ticket done) const;

private:
    static constexpr size_t kKept = 256;  ///< more than are ever under way at once
    struct Entry {
        Ticket ticket = 0;
        std::string name;
        std::vector<std::string> passes;
    };
    mutable std::mutex mutex_;
    Ticket reached_ = 0;
    std::deque<Entry> entries_;  ///< in the order of their tickets
};

}  // namespace splat::gpu
