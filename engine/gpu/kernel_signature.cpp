#include <splatwright/gpu/kernel_signature.h>

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace splat::gpu {

namespace {

using nlohmann::json;

bool isOf(const json& parameter, const char* kind) {
    return parameter.contains("binding") && parameter["binding"].value("kind", "") == kind;
}

}  // namespace

std::map<std::string, std::string> kernelSignature(const json& reflection) {
    const json& entries = reflection.at("entryPoints");
    std::set<std::string> used;
    for (const json& entry : entries)
        for (const json& b : entry.at("bindings"))
            if (b.at("binding").value("used", 0) != 0) used.insert(b.at("name").get<std::string>());
    std::map<std::string, std::string> signature;
    const auto add = [&](const char* what, const json& p) {
        signature[fmt::format("{} '{}'", what, p.at("name").get<std::string>())] += p.at("binding").dump() + p.at("type").dump();
    };
    for (const json& p : reflection.at("parameters")) {
        if (!used.contains(p.at("name").get<std::string>())) continue;
        add(isOf(p, "specializationConstant") ? "specialization constant" : "buffer", p);
    }
    for (const json& entry : entries) {
        if (entry.contains("threadGroupSize")) signature["group size"] = entry["threadGroupSize"].dump();
        if (entry.contains("userAttribs")) signature["subgroup size"] = entry["userAttribs"].dump();
        for (const json& p : entry.value("parameters", json::array()))
            if (isOf(p, "uniform")) add("constant", p);
    }
    return signature;
}

std::string misfit(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after) {
    for (const auto& [what, text] : after) {
        const auto found = before.find(what);
        if (found == before.end()) return what + " is new";
        if (found->second != text) return fmt::format("{} has changed: found {}, expected {}", what, text, found->second);
    }
    for (const auto& [what, text] : before)
        if (!after.contains(what) && !what.starts_with("buffer")) return what + " is gone";
    return {};
}

}  // namespace splat::gpu
