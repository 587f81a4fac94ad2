#pragma once

#include <span>
#include <string_view>

#include "viewer/actions/arguments.h"

namespace splat::app {

class Viewer;

/// A user action: each row defines a key, a script command, and entries in a menu and in the help.
struct Action {
    const char* name;
    const char* chord;      ///< as in KeyPress; "": none
    const char* menu;       ///< "": none
    const char* arguments;  ///< a script's arguments; "": none
    const char* help;
    void (*run)(Viewer&, Arguments&);
    bool (*checked)(const Viewer&) = nullptr;  ///< whether it is on, for a check mark; null: it is no switch
    bool (*enabled)(const Viewer&) = nullptr;  ///< whether it would do something now; null: always
};

std::span<const Action> actionTable();

/// Knows names of earlier versions too. Throws InputError with similar names if there is no such action.
const Action& actionByName(std::string_view name);
/// The action of a key; null if there is none.
const Action* actionOfChord(std::string_view chord);
/// Its name; empty if there is none.
std::string_view actionNameOf(std::string_view chord);
/// Whether an action would do something now: menus and buttons are grey otherwise. Keys and scripts run it anyway, and it says why it cannot.
bool canRun(const Viewer& viewer, const Action& action);
/// Runs an action without arguments, as keys and menus do.
void runAction(Viewer& viewer, std::string_view name);

}  // namespace splat::app
