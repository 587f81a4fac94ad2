#include <splatwright/scene/formats/usd/usda_document.h>

#include <algorithm>
#include <array>

#include <splatwright/core/error.h>
#include <splatwright/scene/formats/usd/usda_cursor.h>

namespace splat {
namespace {

constexpr int kMostLevels = 128;  // of prims in prims, which take the stack's memory

bool isSpecifier(std::string_view word) { return word == "def" || word == "over" || word == "class"; }

bool isQualifier(std::string_view word) {
    constexpr std::array<std::string_view, 9> kQualifiers{"custom", "uniform", "varying", "config", "prepend",
                                                          "append", "add",     "delete",  "reorder"};
    return std::ranges::count(kQualifiers, word) > 0;
}

class Parser {
public:
    explicit Parser(const UsdaText& text) : cursor_(text, text.content) {}

    UsdaDocument document() {
        UsdaDocument document;
        document.metadata = metadata();
        while (!cursor_.ended()) statement(document.prims, nullptr, 0);
        return document;
    }

private:
    /// A prim, or a property if they may stand here.
    void statement(std::vector<UsdaPrim>& prims, std::vector<UsdaProperty>* properties, int level) {
        std::string_view word = cursor_.word();
        if (isSpecifier(word)) return prims.push_back(prim(word, level));
        if (word == "variantSet") {
            cursor_.string();
            cursor_.expect('=');
            cursor_.value();
            return;
        }
        const bool reorders = word == "reorder";
        while (isQualifier(word)) word = cursor_.word();
        if (reorders && word != "rel") {  // of names of prims or properties
            cursor_.expect('=');
            cursor_.value();
            return;
        }
        if (!properties) cursor_.fail("a prim");
        UsdaProperty property{.type = word, .name = cursor_.word(), .value = {}};
        if (cursor_.take('=')) property.value = cursor_.value();
        if (cursor_.next() == '(') cursor_.value();
        properties->push_back(property);
    }

    UsdaPrim prim(std::string_view specifier, int level) {
        if (level == kMostLevels) cursor_.fail(fmt::format("at most {} prims in one another", kMostLevels));
        UsdaPrim prim{.specifier = specifier};
        if (cursor_.next() != '"' && cursor_.next() != '\'') prim.type = cursor_.word();
        prim.name = cursor_.string();
        prim.metadata = metadata();
        cursor_.expect('{');
        while (!cursor_.take('}')) statement(prim.children, &prim.properties, level + 1);
        return prim;
    }

    /// Entries in round brackets, if there are any.
    std::vector<UsdaProperty> metadata() {
        std::vector<UsdaProperty> entries;
        if (!cursor_.take('(')) return entries;
        while (!cursor_.take(')')) {
            if (cursor_.next() == '"' || cursor_.next() == '\'') {  // a comment
                cursor_.string();
                continue;
            }
            UsdaProperty entry{.type = {}, .name = cursor_.word(), .value = {}};
            if (cursor_.next() != '=') {
                entry.type = entry.name;
                entry.name = cursor_.word();
            }
            cursor_.expect('=');
            entry.value = cursor_.value();
            entries.push_back(entry);
        }
        return entries;
    }

    UsdaCursor cursor_;
};

}  // namespace

void UsdaText::fail(const char* at, const std::string& expected) const {
    constexpr size_t kShown = 40;
    const char* const end = content.data() + content.size();
    const auto line = 1 + std::count(content.data(), at, '\n');
    const char* const shownEnd = std::find(at, at + std::min(kShown, static_cast<size_t>(end - at)), '\n');
    const std::string found = at == end ? "the end" : "'" + std::string(at, shownEnd) + "'";
    throw InputError("{}:{}: found {}, expected {}", path.string(), line, found, expected);
}

const UsdaProperty* propertyOf(const std::vector<UsdaProperty>& properties, std::string_view name) {
    const auto found = std::ranges::find_if(properties, [&](const UsdaProperty& p) { return p.name == name && !p.value.empty(); });
    return found == properties.end() ? nullptr : &*found;
}

UsdaDocument parseUsda(const UsdaText& text) { return Parser(text).document(); }

std::string_view firstSample(const UsdaText& text, std::string_view samples) {
    UsdaCursor cursor(text, samples);
    cursor.expect('{');
    if (cursor.take('}')) return {};
    cursor.word();  // the time, and the colon behind it unless a blank is between
    cursor.take(':');
    return cursor.value();
}

std::vector<std::string_view> stringsIn(const UsdaText& text, std::string_view value) {
    std::vector<std::string_view> strings;
    UsdaCursor cursor(text, value);
    if (!cursor.take('[')) return {cursor.string()};
    while (!cursor.take(']')) {
        strings.push_back(cursor.string());
        cursor.take(',');
    }
    return strings;
}

}  // namespace splat
