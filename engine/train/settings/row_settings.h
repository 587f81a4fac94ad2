#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include <splatwright/core/error.h>
#include <splatwright/core/settings.h>

namespace splat {

/// Default settings of each row that has its own.
std::vector<SettingsPart> settingsOfRows(const auto& table) {
    std::vector<SettingsPart> parts;
    for (const auto* row : table) {
        if (row->settings) parts.push_back(row->settings());
    }
    return parts;
}

// Of the tables' rows. Declared here, because the tables are in folders above.
std::vector<SettingsPart> strategySettings();
std::vector<SettingsPart> stepPartSettings();

/// Settings that the rows of tables own: one group per densification strategy, and one per step part.
struct RowSettings {
    std::vector<SettingsPart> strategies = strategySettings();
    std::vector<SettingsPart> stepParts = stepPartSettings();

    std::vector<SettingField> fields() {
        std::vector<SettingField> all;
        for (auto* parts : {&strategies, &stepParts}) {
            for (SettingsPart& part : *parts) std::ranges::copy(part.fields(), std::back_inserter(all));
        }
        return all;
    }
    /// The settings of the row that owns this struct.
    template <class Settings>
    Settings& of() {
        return find<Settings>(*this);
    }
    template <class Settings>
    const Settings& of() const {
        return find<Settings>(*this);
    }

private:
    template <class Settings>
    static auto& find(auto& self) {
        for (auto* parts : {&self.strategies, &self.stepParts}) {
            for (auto& part : *parts) {
                if (auto* settings = part.template get<Settings>()) return *settings;
            }
        }
        throw Error("no row has settings of this type");
    }
};

}  // namespace splat
