#pragma once
namespace splat {

/// Stands for an inline function of which one file's copy uses more registers than another's, as at -O1 and -O2: that of file `kFile`, a constant that is
/// defined before this header, uses all that a call may change. The program has one of the two copies.
template <int file>
[[gnu::noinline]] int doubled(int value) {
    const int result = 2 * value;
    if constexpr (file == kFile) {
        asm volatile("xor %%ecx, %%ecx; xor %%edx, %%edx; xor %%r8d, %%r8d; xor %%r9d, %%r9d; xor %%r10d, %%r10d; xor %%r11d, %%r11d"
                     :
                     :
                     : "rcx", "rdx", "r8", "r9", "r10", "r11", "cc");
    }
    return result;
}

}  // namespace splat
