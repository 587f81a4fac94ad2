#include <splatwright/scene/files/zip.h>

#include <algorithm>
#include <array>

#include <zip.h>

#include <splatwright/core/error.h>
#include <splatwright/core/input_file.h>

namespace splat {
namespace {

// What is in archives of splats is compressed already, so that a file grows by a few percent, and short texts by a factor that does no harm.
constexpr zip_uint64_t kHarmlessBytes = zip_uint64_t{1} << 20U, kMostInflation = 4;

class ZipError {
public:
    ZipError() { zip_error_init(&error_); }
    ~ZipError() { zip_error_fini(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;

    zip_error_t* get() { return &error_; }
    const char* text() { return zip_error_strerror(&error_); }

private:
    zip_error_t error_{};
};

/// An archive in the memory of a source, which belongs to the archive from then on.
zip_t* opened(zip_source_t* source, int flags, zip_error_t* error) {
    zip_t* archive = source ? zip_open_from_source(source, flags, error) : nullptr;
    if (!archive) zip_source_free(source);
    return archive;
}

/// `create` makes a source, or says why not in the error that it gets.
template <class Create>
zip_t* openedForReading(const std::filesystem::path& path, Create create) {
    ZipError error;
    zip_t* archive = opened(create(error.get()), ZIP_RDONLY, error.get());
    if (!archive) throw InputError("{}: damaged or truncated zip archive: {}", path.string(), error.text());
    return archive;
}

#ifdef _WIN32
constexpr auto sourceOfFile = zip_source_win32w_create;
#else
constexpr auto sourceOfFile = zip_source_file_create;
#endif

}  // namespace

ZipReader::ZipReader(const std::filesystem::path& path, std::span<const std::byte> bytes)
    : path_(path),
      archiveBytes_(bytes.size()),
      archive_(openedForReading(path, [&](zip_error_t* error) { return zip_source_buffer_create(bytes.data(), bytes.size(), 0, error); }),
               zip_discard) {}

ZipReader::ZipReader(const std::filesystem::path& path)
    : path_(path),
      archiveBytes_(RandomAccessFile(path).size()),
      archive_(openedForReading(path, [&](zip_error_t* error) { return sourceOfFile(path.c_str(), 0, -1, error); }), zip_discard) {}

bool ZipReader::has(const std::string& name) const { return zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_ENC_RAW) >= 0; }

std::vector<std::byte> ZipReader::read(const std::string& name) const {
    const zip_int64_t found = zip_name_locate(archive_.get(), name.c_str(), ZIP_FL_ENC_RAW);
    if (found < 0) throw InputError("{}: the zip archive has no file '{}', expected one", path_.string(), name);
    const auto index = static_cast<zip_uint64_t>(found);
    zip_stat_t about;
    if (zip_stat_index(archive_.get(), index, 0, &about) != 0 || (about.valid & (ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE)) == 0) {
        throw InputError("{}: the zip archive does not say the size of '{}'", path_.string(), name);
    }
    const zip_uint64_t most = std::max(kHarmlessBytes, kMostInflation * std::min<zip_uint64_t>(about.comp_size, archiveBytes_));
    if (about.size > most) {
        throw InputError("{}: '{}' has {} bytes from {} in the zip archive, expected at most {}", path_.string(), name, about.size,
                         about.comp_size, most);
    }
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> file(zip_fopen_index(archive_.get(), index, 0), zip_fclose);
    if (!file) throw InputError("{}: '{}' in the zip archive cannot be read: {}", path_.string(), name, zip_strerror(archive_.get()));
    std::vector<std::byte> bytes(about.size);
    const zip_int64_t read = zip_fread(file.get(), bytes.data(), bytes.size());
    std::byte beyond;
    const zip_int64_t more = zip_fread(file.get(), &beyond, 1);  // the library compares the checksum when it meets the end
    if (read < 0 || more < 0)
        throw InputError("{}: '{}' in the zip archive is damaged: {}", path_.string(), name, zip_file_strerror(file.get()));
    if (static_cast<zip_uint64_t>(read) != about.size || more != 0) {
        throw InputError("{}: found {} bytes of '{}' in the zip archive, expected {}", path_.string(), read + more, name, about.size);
    }
    return bytes;
}

std::vector<std::byte> packZip(std::span<const ZipEntry> entries) {
    constexpr zip_uint16_t kFirstDay = 1U << 5U | 1U, kMidnight = 0;  // the format's first: 1 January 1980
    ZipError error;
    const auto check = [](bool done, const char* reason) {
        if (!done) throw Error("a zip archive cannot be made: {}", reason);
    };
    const std::unique_ptr<zip_source_t, void (*)(zip_source_t*)> memory(zip_source_buffer_create(nullptr, 0, 0, error.get()),
                                                                        zip_source_free);
    check(memory != nullptr, error.text());
    zip_source_keep(memory.get());  // the archive frees one reference
    std::unique_ptr<zip_t, void (*)(zip_t*)> archive(opened(memory.get(), ZIP_TRUNCATE, error.get()), zip_discard);
    check(archive != nullptr, error.text());
    for (const ZipEntry& entry : entries) {
        zip_source_t* source = zip_source_buffer(archive.get(), entry.bytes.data(), entry.bytes.size(), 0);
        const zip_int64_t added = source ? zip_file_add(archive.get(), entry.name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
        if (added < 0) zip_source_free(source);
        const auto index = static_cast<zip_uint64_t>(added);
        check(added >= 0 && zip_set_file_compression(archive.get(), index, ZIP_CM_STORE, 0) == 0 &&
                  zip_file_set_dostime(archive.get(), index, kMidnight, kFirstDay, 0) == 0,
              zip_strerror(archive.get()));
    }
    check(zip_close(archive.get()) == 0, zip_strerror(archive.get()));
    static_cast<void>(archive.release());  // closed, and with that gone
    check(zip_source_open(memory.get()) == 0, zip_error_strerror(zip_source_error(memory.get())));
    zip_source_seek(memory.get(), 0, SEEK_END);
    std::vector<std::byte> bytes(static_cast<size_t>(zip_source_tell(memory.get())));
    zip_source_seek(memory.get(), 0, SEEK_SET);
    check(zip_source_read(memory.get(), bytes.data(), bytes.size()) == static_cast<zip_int64_t>(bytes.size()),
          zip_error_strerror(zip_source_error(memory.get())));
    zip_source_close(memory.get());
    return bytes;
}

}  // namespace splat
