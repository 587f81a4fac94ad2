#include "commands/bench/bench_json.h"

#include <nlohmann/json.hpp>

namespace splat::app {

namespace {

using nlohmann::json;
using primitives::BenchRow;

json toJson(const BenchRow& row) {
    json entry{{"bench", row.bench},   {"variant", row.variant},  {"n", row.n}, {"median_ms", row.median_ms}, {"min_ms", row.min_ms},
               {"max_ms", row.max_ms}, {"verified", row.verified}};
    if (row.skipped) entry["skipped"] = true;
    if (!row.note.empty()) entry["note"] = row.note;
    if (!row.subject.empty()) entry["subject"] = row.subject;
    if (row.neverDrawn) entry["never_drawn"] = *row.neverDrawn;
    return entry;
}

}  // namespace

json toJson(const std::vector<BenchRow>& rows) {
    json written = json::array();
    for (const BenchRow& row : rows) written.push_back(toJson(row));
    return written;
}

}  // namespace splat::app
