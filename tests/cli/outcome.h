#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace splat::test {

/// What a run of the binary left.
struct Outcome {
    int code = -1;  ///< exit code, or 128 + signal
    std::string out, err;
};

/// A word of a command line: a text or a path.
struct Word : std::string {
    Word(const char* text) : std::string(text) {}
    Word(std::string text) : std::string(std::move(text)) {}
    Word(const std::filesystem::path& path) : std::string(path.string()) {}
};

/// The words of a command line, without the program's name.
struct Arguments : std::vector<std::string> {
    Arguments(std::initializer_list<Word> words) : std::vector<std::string>(words.begin(), words.end()) {}
    Arguments(std::vector<std::string> words = {}) : std::vector<std::string>(std::move(words)) {}

    void insert(const_iterator before, std::initializer_list<Word> words) {
        std::vector<std::string>::insert(before, words.begin(), words.end());
    }
    void insert(const_iterator before, const Word& word) { std::vector<std::string>::insert(before, word); }
    void insert(const_iterator before, const_iterator begin, const_iterator end) { std::vector<std::string>::insert(before, begin, end); }
};

}  // namespace splat::test
