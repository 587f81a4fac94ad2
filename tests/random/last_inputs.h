#pragma once

#include <string>

namespace splat::test {

/// What was done last, to be printed when the program ends otherwise than it should: at an error of a sanitizer, a signal, or when it hangs.
namespace last_inputs {

/// Prints from now on, with the seed. There is a thread that ends the program if no input comes for a while, or memory runs out.
void watch(uint64_t seed);
/// Notes an input, which is of this frame.
void note(uint64_t frame, const std::string& what);
/// Says that the program goes on.
void tick();
/// Prints them.
void print();
/// The input that took longest, with its seconds.
std::string slowest();

}  // namespace last_inputs

/// Prints what went wrong and the last inputs, and ends the program.
[[noreturn]] void fail(const std::string& why);

}  // namespace splat::test
