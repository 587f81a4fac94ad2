#include <splatwright/core/threads.h>

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>

namespace splat {
namespace {

/// The lowest one is the last to fail.
TEST(ParallelFor, RethrowsTheExceptionOfTheLowestIndex) {
    for (int round = 0; round < 20; ++round) {
        try {
            parallelFor(64, [](size_t i) {
                if (i == 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                if (i % 3 == 2) throw Error("{}", i);
            });
            ADD_FAILURE() << "expected an error";
        } catch (const Error& problem) {
            EXPECT_STREQ(problem.what(), "2");
        }
    }
}

}  // namespace
}  // namespace splat
