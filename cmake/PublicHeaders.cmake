# Every header of engine/ and shaders/shared/ is included as <splatwright/FOLDER/NAME.h>, in this build as after installation. Here each such
# path is a file that includes the header in the source tree, so compilers and debuggers name the file that people edit.
set(SPLAT_INCLUDE_DIR ${PROJECT_BINARY_DIR}/include)

# splat_forward_headers(root folder): makes splatwright/<path> for each header below root/folder, path being relative to root, and installs it.
function(splat_forward_headers root folder)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${root} ${root}/${folder}/*.h)
  foreach(header ${headers})
    file(CONFIGURE OUTPUT ${SPLAT_INCLUDE_DIR}/splatwright/${header} @ONLY CONTENT "#include \"@root@/@header@\"\n")
    if(SPLAT_INSTALL)
      cmake_path(GET header PARENT_PATH subfolder)
      install(FILES ${root}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/splatwright/${subfolder} COMPONENT engine)
    endif()
  endforeach()
endfunction()

splat_forward_headers(${CMAKE_CURRENT_SOURCE_DIR}/engine .)
splat_forward_headers(${CMAKE_CURRENT_SOURCE_DIR}/shaders shared)
