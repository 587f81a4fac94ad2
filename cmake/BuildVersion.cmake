# cmake -DSOURCE=FOLDER -DVERSION=X.Y.Z -DOUT=FILE -P BuildVersion.cmake: writes the version of the program with the commit of the source tree,
# unless the file says the same already. A tree whose code differs from its commit gets the hash of the difference as well, so that two builds of
# different code have different versions; new files that git does not know yet are not seen.
set(ENV{GIT_OPTIONAL_LOCKS} 0)
set(CODE app assets/presets cmake engine shaders CMakeLists.txt ":(exclude)*.md")
find_program(GIT git)

# Sets `result` to what git prints in the source tree; empty if it fails.
function(ask_git result)
  set(output "")
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed)
      set(output "")
    endif()
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

ask_git(top rev-parse --show-toplevel)
ask_git(commit rev-parse --short=12 HEAD)
file(REAL_PATH "${SOURCE}" source)
if(NOT commit OR NOT top STREQUAL source)  # also a copy inside of another project's repository
  set(commit unknown)
else()
  ask_git(changes diff HEAD -- ${CODE})
  if(changes)
    string(SHA256 hash "${changes}")
    string(SUBSTRING ${hash} 0 8 hash)
    string(APPEND commit .changed.${hash})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
#include "viewer/files/build_version.h"

namespace splat::app {

std::string programVersion() { return "@VERSION@+@commit@"; }

}  // namespace splat::app
]])
