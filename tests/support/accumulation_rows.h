#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <splatwright/render/backward.h>

namespace splat {

/// Every row of the accumulation table, for tests that hold for all.
inline std::vector<std::string> accumulationNames() {
    std::vector<std::string> names;
    for (const AccumulationRow* row : accumulationTable()) names.emplace_back(row->name);
    return names;
}

/// A row's name as a part of a test's.
inline std::string accumulationTestName(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace splat
