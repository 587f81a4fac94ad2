#pragma once

#include <span>
#include <string_view>

#include "viewer/arguments.h"

namespace splat::app {

class Viewer;

/// Something that a person can do: a row here is a key, a line of a script, an entry of a menu and of the help.
struct Action {
    const char* name;
    const char* chord;      ///< as Window::takeChords() has it; "": none
    const char* menu;       ///< "": in none
    const char* arguments;  ///< what a script may write after the name; "": nothing
    const char* help;
    void (*run)(Viewer&, Arguments&);
};

std::span<const Action> actionTable();

/// Throws InputError naming those that come near.
const Action& actionByName(std::string_view name);
/// nullptr: no action has the key.
const Action* actionOfChord(std::string_view chord);

}  // namespace splat::app
