#include <splatwright/train/watch/rollback.h>

#include <nlohmann/json.hpp>

namespace splat {

nlohmann::ordered_json toJson(const std::vector<Rollback>& rollbacks) {
    auto list = nlohmann::ordered_json::array();
    for (const Rollback& r : rollbacks)
        list.push_back({{"from", r.from}, {"to", r.to}, {"rate_scale", r.rateScale}, {"problem", r.problem}});
    return list;
}

std::vector<Rollback> rollbacksOf(const nlohmann::ordered_json& list) {
    std::vector<Rollback> rollbacks;
    for (const auto& entry : list.get_ref<const nlohmann::ordered_json::array_t&>()) {
        rollbacks.push_back({.from = entry.at("from").get<uint32_t>(),
                             .to = entry.at("to").get<uint32_t>(),
                             .rateScale = entry.at("rate_scale").get<double>(),
                             .problem = entry.at("problem").get<std::string>()});
    }
    return rollbacks;
}

}  // namespace splat
