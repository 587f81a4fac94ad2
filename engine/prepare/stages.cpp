#include <splatwright/prepare/stages.h>

#include <splatwright/core/error.h>
#include <splatwright/core/file.h>
#include <splatwright/core/parse_json.h>

namespace splat::prepare {

using nlohmann::json;

Stages::Stages(std::filesystem::path file) : file_(std::move(file)) {
    if (!mayExist(file_)) return;
    try {
        json read = readJson(file_);
        if (read.is_object()) record_ = std::move(read);
    } catch (const InputError&) {
        record_ = json::object();
    }
}

std::optional<json> Stages::result(const std::string& stage, const std::string& key) const {
    const auto found = record_.find(stage);
    if (found == record_.end() || !found->is_object() || found->value("key", json()) != json(key) || !found->contains("result"))
        return std::nullopt;
    return found->at("result");
}

void Stages::finish(const std::string& stage, const std::string& key, const json& result) {
    record_[stage] = {{"key", key}, {"result", result}};
    write();
}

void Stages::forget(const std::string& stage) {
    if (record_.erase(stage) > 0) write();
}

// Names in results are file names, which may be no UTF-8.
void Stages::write() const { writeFileAtomically(file_, record_.dump(1, ' ', true, json::error_handler_t::replace) + "\n"); }

}  // namespace splat::prepare
