# The library's public headers are the files of engine/api/include: <splatwright/NAME.h>, in this build as after installation.
set(SPLAT_PUBLIC_INCLUDE_DIR ${PROJECT_SOURCE_DIR}/engine/api/include)
if(SPLAT_INSTALL)
  install(DIRECTORY ${SPLAT_PUBLIC_INCLUDE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT engine FILES_MATCHING PATTERN "*.h")
endif()

# All other headers of engine/ and shaders/shared/ are the engine's own: <splatwright/FOLDER/NAME.h>. Each such path is a file that includes the
# header in the source tree, so compilers and debuggers name the file that people edit.
set(SPLAT_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)

# splat_forward_headers(root folder): makes splatwright/<path> for each header below root/folder, path being relative to root.
function(splat_forward_headers root folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${root} ${root}/${folder}/*.h)
  list(FILTER headers EXCLUDE REGEX "^api/include/")
  foreach(header ${headers})
    file(CONFIGURE OUTPUT ${SPLAT_INCLUDE_DIR}/splatwright/${header} @ONLY CONTENT "#include \"@root@/@header@\"\n")
  endforeach()
endfunction()

splat_forward_headers(${CMAKE_CURRENT_SOURCE_DIR}/engine .)
splat_forward_headers(${CMAKE_CURRENT_SOURCE_DIR}/shaders shared)
