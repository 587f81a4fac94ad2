#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/core/error.h>

namespace splat::test {

/// A folder of its own below the system's temporary one, gone at the end.
class Scratch {
public:
    Scratch() : path_(std::filesystem::temp_directory_path() / fmt::format("splat-test-{:x}", std::random_device{}())) {
        std::filesystem::create_directories(path_);
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::filesystem::path& path() const { return path_; }

    /// Writes a file below the folder and returns its path.
    std::filesystem::path write(const std::string& name, std::string_view content) const {
        const std::filesystem::path path = path_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

private:
    std::filesystem::path path_;
};

/// The message of the InputError that the action throws; fails when it throws none or another.
inline std::string inputErrorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    } catch (const std::exception& other) {
        ADD_FAILURE() << "expected an InputError, found: " << other.what();
        return {};
    }
    ADD_FAILURE() << "expected an InputError, found none";
    return {};
}

/// A text with the slashes of POSIX between the names of its paths, whatever this system has.
inline std::string withSlashes(std::string text) {
    std::ranges::replace(text, static_cast<char>(std::filesystem::path::preferred_separator), '/');
    return text;
}

inline void expectInputError(const std::function<void()>& action, const std::vector<std::string>& parts) {
    const std::string message = withSlashes(inputErrorOf(action));
    for (const std::string& part : parts)
        EXPECT_NE(message.find(withSlashes(part)), std::string::npos) << "'" << part << "' in: " << message;
}

/// Every proper prefix of the content, written to one file, must be an InputError.
inline void expectEveryPrefixToFail(const Scratch& scratch, const std::string& name, std::string_view content,
                                    const std::function<void(const std::filesystem::path&)>& read) {
    for (size_t length = 0; length < content.size(); ++length) {
        const auto path = scratch.write(name, content.substr(0, length));
        EXPECT_THROW(read(path), InputError) << "first " << length << " of " << content.size() << " bytes";
    }
}

/// Reads the content with each single byte damaged in a few ways: an answer or an InputError, never anything else.
inline void expectDamageToBeHarmless(const Scratch& scratch, const std::string& name, const std::string& content,
                                     const std::function<void(const std::filesystem::path&)>& read) {
    for (size_t i = 0; i < content.size(); ++i) {
        for (const int flip : {0x01, 0x80, 0xff}) {
            std::string damaged = content;
            damaged[i] = static_cast<char>(damaged[i] ^ flip);
            const auto path = scratch.write(name, damaged);
            try {
                read(path);
            } catch (const InputError&) {
            } catch (const std::exception& other) {
                ADD_FAILURE() << "byte " << i << " ^ " << flip << ": " << other.what();
            }
        }
    }
}

inline std::string textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Little-endian binary content, a value at a time.
class Bytes {
public:
    template <class T>
    Bytes& put(T value) {
        content_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Bytes& putText(std::string_view text) {
        content_ += text;
        content_ += '\0';
        return *this;
    }
    const std::string& content() const { return content_; }

private:
    std::string content_;
};

}  // namespace splat::test
