#pragma once

#include "sheet.h"
#include "viewer_script.h"

namespace splat::test {

/// Saves what is open as a project, and opens it.
struct ViewerProject : ViewerScript {
    const fs::path project = at("scene/own.splatproject");

    ViewerProject() {
        fs::create_directories(at("scene"));
        writeSheet(at("scene/sheet.ply"));
    }
    Outcome follow(const std::string& script, const RunOptions& options = {}, Arguments more = {}) const {
        std::ofstream(at("script.txt")) << "key Tab\n" << script;
        Arguments arguments{"view", "--headless", "--script", at("script.txt"), "--size", "320x200", "--validate"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return splatwright(arguments, options);
    }
    std::string look(const std::string& name) const { return "wait picture\nscreenshot " + at(name).string() + "\n"; }
    std::string save() const { return "save_project " + project.string() + "\n"; }
    std::string open() const { return "open " + project.string() + "\n"; }
    /// The sheet with a part deleted, one hidden and one selected, a copy of the rest, and another model that is moved and locked.
    std::string work() const {
        return "open " + at("scene/sheet.ply").string() +
               "\nselect_box -0.8 0 0 0.21 3 1\nkey Delete\nselect_box 0.8 0 0 0.11 3 1\nkey H\nduplicate\nselect_box 0 0 0 0.11 3 1\n" +
               openSplats() +
               "place 0.5 0.25 -0.125 10 20 30 0.5\nlock 1\ncamera 1 -2 -5 0.5 0 0\nfield_of_view 40\nbookmark\nkey K\norbit 20 10\nkey "
               "K\nbookmark\nkey K\ngrid\nrender_mode opacity\nset auto_range false\nset range_high 0.5\n";
    }
    /// What a report says of everything that a project keeps.
    json kept(const std::string& report) const {
        const json r = readReport(report);
        json found{{"models", r.at("models")}, {"marks", r.at("marks")}, {"camera", r.at("camera")}};
        for (const char* name : {"picture", "aids", "bookmarks", "path_keys", "orthographic", "flies"})
            found[name] = r.at("controls").at(name);
        found["range"] = r.at("picture").at("range");
        return found;
    }
    size_t unsaved(const std::string& report) const { return readReport(report).at("controls").at("unsaved"); }
};

}  // namespace splat::test
