#include <splatwright/gpu/spirv.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace splat::gpu {

namespace {

constexpr size_t kHeader = 5;  // words before the first instruction
constexpr uint32_t kOpExtension = 10, kOpEntryPoint = 15, kOpExecutionMode = 16, kOpCapability = 17;
constexpr uint32_t kMaximallyReconverges = 6023;

uint32_t opcode(uint32_t word) { return word & 0xffffu; }
uint32_t instruction(uint32_t code, size_t words) { return static_cast<uint32_t>(words) << 16u | code; }

/// Calls `see(words)` for each instruction in order; stops at a length of 0, which no valid module has.
template <class See>
void forEachInstruction(std::span<const uint32_t> code, See see) {
    for (size_t at = kHeader; at < code.size();) {
        const size_t length = code[at] >> 16u;
        if (length == 0 || at + length > code.size()) return;
        see(code.subspan(at, length));
        at += length;
    }
}

/// OpExtension with its name as a literal: padded with at least one zero byte to whole words.
void appendExtension(std::vector<uint32_t>& code) {
    constexpr std::string_view kName = "SPV_KHR_maximal_reconvergence";
    std::array<uint32_t, kName.size() / sizeof(uint32_t) + 1> literal{};
    std::memcpy(literal.data(), kName.data(), kName.size());
    code.push_back(instruction(kOpExtension, 1 + literal.size()));
    code.insert(code.end(), literal.begin(), literal.end());
}

}  // namespace

std::vector<uint32_t> capabilitiesOf(std::span<const uint32_t> code) {
    std::vector<uint32_t> found;
    forEachInstruction(code, [&](std::span<const uint32_t> words) {
        if (opcode(words[0]) == kOpCapability && words.size() == 2) found.push_back(words[1]);
    });
    return found;
}

std::vector<uint32_t> withMaximalReconvergence(std::span<const uint32_t> code) {
    bool reconverges = false;
    forEachInstruction(code, [&](std::span<const uint32_t> words) {
        reconverges |= opcode(words[0]) == kOpExecutionMode && words.size() == 3 && words[2] == kMaximallyReconverges;
    });
    if (reconverges) return {code.begin(), code.end()};
    std::vector<uint32_t> out(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(std::min(kHeader, code.size())));
    // Order in a module: capabilities, extensions, ..., entry points, execution modes.
    std::vector<uint32_t> modes;
    uint32_t before = kOpCapability;
    forEachInstruction(code, [&](std::span<const uint32_t> words) {
        const uint32_t op = opcode(words[0]);
        if (before == kOpCapability && op != kOpCapability) appendExtension(out);
        if (before == kOpEntryPoint && op != kOpEntryPoint) out.insert(out.end(), modes.begin(), modes.end());
        if (op == kOpEntryPoint) modes.insert(modes.end(), {instruction(kOpExecutionMode, 3), words[2], kMaximallyReconverges});
        out.insert(out.end(), words.begin(), words.end());
        before = op;
    });
    return out;
}

}  // namespace splat::gpu
