#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace splat {

/// A return of a training that had collapsed or diverged to an earlier state.
struct Rollback {
    uint32_t from = 0;     ///< step after which the problem was noticed
    uint32_t to = 0;       ///< step that training continued from
    double rateScale = 1;  ///< of the learning rates since
    std::string problem;
};

/// A list, in metrics.json and in checkpoints.
nlohmann::ordered_json toJson(const std::vector<Rollback>& rollbacks);
/// Throws nlohmann's exceptions if it is not such a list.
std::vector<Rollback> rollbacksOf(const nlohmann::ordered_json& list);

}  // namespace splat
