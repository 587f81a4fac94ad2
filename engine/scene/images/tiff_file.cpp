#ifdef SPLAT_HAS_TIFF

#include <splatwright/scene/images/tiff_file.h>

#include <cstdio>
#include <cstring>

namespace splat {
namespace {

using Source = TiffFile::Source;

Source& sourceOf(thandle_t handle) { return *static_cast<Source*>(handle); }

tmsize_t readSource(thandle_t handle, void* target, tmsize_t count) {
    Source& source = sourceOf(handle);
    const size_t begin = std::min<uint64_t>(source.offset, source.bytes.size());
    const size_t length = std::min(static_cast<size_t>(std::max<tmsize_t>(count, 0)), source.bytes.size() - begin);
    std::memcpy(target, source.bytes.data() + begin, length);
    source.offset = begin + length;
    return static_cast<tmsize_t>(length);
}

toff_t seekSource(thandle_t handle, toff_t offset, int whence) {
    Source& source = sourceOf(handle);
    const uint64_t base = whence == SEEK_CUR ? source.offset : whence == SEEK_END ? source.bytes.size() : 0;
    return source.offset = base + offset;
}

int mapSource(thandle_t handle, void** base, toff_t* size) {
    // libtiff's interface wants mutable bytes but only reads them.
    *base = const_cast<std::byte*>(sourceOf(handle).bytes.data());
    *size = sourceOf(handle).bytes.size();
    return 1;
}

/// The first message counts: later ones follow from it.
int takeError(TIFF*, void* data, const char*, const char* format, va_list values) {
    auto& message = static_cast<Source*>(data)->message;
    if (message[0] == '\0') std::vsnprintf(message.data(), message.size(), format, values);
    return 1;
}

int ignoreWarning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

struct FreeOptions {
    void operator()(TIFFOpenOptions* options) const { TIFFOpenOptionsFree(options); }
};

}  // namespace

TiffFile::TiffFile(const EncodedImage& file) : source_{.bytes = file.bytes} {
    const std::unique_ptr<TIFFOpenOptions, FreeOptions> options(TIFFOpenOptionsAlloc());
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(kMostTiffBytesAtOnce));
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), takeError, &source_);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignoreWarning, nullptr);
    // Nothing is written, and the bytes outlive the file: they need not be closed or unmapped.
    const auto write = [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; };
    const auto close = [](thandle_t) { return 0; };
    const auto size = [](thandle_t handle) -> toff_t { return sourceOf(handle).bytes.size(); };
    const auto unmap = [](thandle_t, void*, toff_t) {};
    tiff_.reset(TIFFClientOpenExt("picture", "r", &source_, readSource, write, seekSource, close, size, mapSource, unmap, options.get()));
}

}  // namespace splat

#endif
