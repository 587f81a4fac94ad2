#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace splat {

/// An object of a glTF file and its place for messages, as in "a.glb: accessors[3]". Every member throws InputError, with what was found, for a
/// value of another type than expected.
class GltfObject {
public:
    /// The value must outlive the object.
    GltfObject(std::string where, const nlohmann::json& value);

    const std::string& where() const { return where_; }
    bool has(const char* key) const { return value_->contains(key); }
    const nlohmann::json& value() const { return *value_; }

    /// A whole number of at least zero.
    size_t whole(const char* key) const;
    size_t whole(const char* key, size_t otherwise) const { return has(key) ? whole(key) : otherwise; }
    std::string text(const char* key) const;
    std::string text(const char* key, const char* otherwise) const { return has(key) ? text(key) : otherwise; }
    /// False if it is missing.
    bool flag(const char* key) const;
    /// `count` numbers; empty if they are missing.
    std::vector<double> numbers(const char* key, size_t count) const;
    /// Whole numbers of at least zero, or texts; empty if they are missing.
    std::vector<size_t> indices(const char* key) const;
    std::vector<std::string> texts(const char* key) const;

    GltfObject object(const char* key) const;
    /// The number of items of a list; 0 if it is missing.
    size_t size(const char* key) const;
    /// An item of a list of objects.
    GltfObject item(const char* key, size_t index) const;

private:
    const nlohmann::json& get(const char* key) const;
    const nlohmann::json* list(const char* key) const;
    [[noreturn]] void refuse(const char* key, const char* expected) const;

    std::string where_;
    const nlohmann::json* value_;
};

}  // namespace splat
