#include <splatwright/scene/formats/usd/usda_cursor.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace splat {
namespace {

bool isBlank(char c) { return c == ' ' || c == ';' || ('\t' <= c && c <= '\r'); }

/// Characters that matter between brackets, where most others are digits.
constexpr std::array<bool, 256> kNested = [] {
    std::array<bool, 256> nested{};
    for (const char c : std::string_view("()[]{}\"'@#")) nested[static_cast<unsigned char>(c)] = true;
    return nested;
}();

}  // namespace

bool UsdaCursor::ended() {
    for (;;) {
        at_ = std::find_if_not(at_, end_, isBlank);
        if (at_ == end_ || *at_ != '#') return at_ == end_;
        at_ = std::find(at_, end_, '\n');
    }
}

bool UsdaCursor::take(char c) {
    const bool found = next() == c;
    if (found) ++at_;
    return found;
}

void UsdaCursor::expect(char c) {
    if (!take(c)) fail(std::string("'") + c + "'");
}

std::string_view UsdaCursor::word() {
    next();
    const char* start = at_;
    constexpr std::string_view kEnds = "=(){},\"'@<>#";
    at_ = std::find_if(at_, end_, [&](char c) { return isBlank(c) || kEnds.find(c) != std::string_view::npos; });
    if (at_ == start) fail("a name");
    return {start, static_cast<size_t>(at_ - start)};
}

/// Moves behind the end mark. A backslash keeps the character after it from ending anything.
void UsdaCursor::passUntil(std::string_view mark) {
    const char* start = at_;
    for (; end_ - at_ >= std::ssize(mark); ++at_) {
        if (std::equal(mark.begin(), mark.end(), at_)) {
            at_ += mark.size();
            return;
        }
        if (*at_ == '\\' && at_ + 1 != end_) ++at_;
    }
    at_ = start;
    fail("an end of the text that starts here");
}

std::string_view UsdaCursor::string() {
    const char quote = next();
    if (quote != '"' && quote != '\'') fail("a string");
    const bool isLong = end_ - at_ >= 3 && at_[1] == quote && at_[2] == quote;
    const std::string mark(isLong ? 3 : 1, quote);
    at_ += mark.size();
    const char* start = at_;
    passUntil(mark);
    return {start, static_cast<size_t>(at_ - start) - mark.size()};
}

void UsdaCursor::asset() {
    const std::string mark(end_ - at_ >= 3 && at_[1] == '@' && at_[2] == '@' ? 3 : 1, '@');
    at_ += mark.size();
    passUntil(mark);
}

void UsdaCursor::passBrackets() {
    std::string open;  // the brackets that are expected to close
    do {
        at_ = std::find_if(at_, end_, [](char c) { return kNested[static_cast<unsigned char>(c)]; });
        if (at_ == end_) fail(std::string("'") + open.back() + "'");
        const char c = *at_;
        if (c == '"' || c == '\'') {
            string();
            continue;
        }
        if (c == '#') {
            at_ = std::find(at_, end_, '\n');
            continue;
        }
        if (c == '@') {
            asset();
            continue;
        }
        ++at_;
        if (c == '(' || c == '[' || c == '{') {
            open += c == '(' ? ')' : c == '[' ? ']' : '}';
        } else {
            if (open.back() != c) --at_, fail(std::string("'") + open.back() + "'");
            open.pop_back();
        }
    } while (!open.empty());
}

std::string_view UsdaCursor::value() {
    const char first = next();
    const char* start = at_;
    if (first == '(' || first == '[' || first == '{') {
        passBrackets();
    } else if (first == '"' || first == '\'') {
        string();
    } else if (first == '@' || first == '<') {
        // A reference may have both, and an offset in time.
        if (first == '@') asset();
        if (take('<')) passUntil(">");
        if (next() == '(') passBrackets();
    } else {
        word();
    }
    return {start, static_cast<size_t>(at_ - start)};
}

}  // namespace splat
