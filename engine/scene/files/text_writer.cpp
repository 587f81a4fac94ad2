#include <splatwright/scene/files/text_writer.h>

#include <algorithm>
#include <vector>

#include <splatwright/core/threads.h>

namespace splat {

void writeText(AtomicFile& file, size_t items, const std::function<std::string(size_t first, size_t end)>& textOf) {
    constexpr size_t kSlice = 1024, kSlicesAtOnce = 64;  // items per thread and step; slices in memory
    for (size_t done = 0; done < items; done += kSlicesAtOnce * kSlice) {
        std::vector<std::string> texts(std::min(kSlicesAtOnce, (items - done + kSlice - 1) / kSlice));
        parallelFor(texts.size(), [&](size_t slice) {
            const size_t first = done + slice * kSlice;
            texts[slice] = textOf(first, std::min(items, first + kSlice));
        });
        for (const std::string& text : texts) file.write(std::as_bytes(std::span(text)));
    }
}

}  // namespace splat
