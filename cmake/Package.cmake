# The engine for other programs: one static library, Splatwright::engine, both for add_subdirectory and after installation, where
# find_package(Splatwright) and pkg-config find it. The installed tree may be moved.
include(CMakePackageConfigHelpers)

set(SPLAT_LAYERS core scene prepare gpu kernels primitives render view train api)
list(TRANSFORM SPLAT_LAYERS REPLACE "(.+)" "$<TARGET_OBJECTS:splat_\\1>" OUTPUT_VARIABLE SPLAT_OBJECTS)
# One object, in which all symbols but those of the library's namespace are local: volk's are called like Vulkan's own functions, so a program that
# links Vulkan itself would call through the engine's pointers, and a program may have a namespace, or another version of a header, as the engine has.
set(SPLAT_ENCLOSED ${PROJECT_BINARY_DIR}/splatwright.o)
separate_arguments(SPLAT_LINK_FLAGS UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
add_custom_command(
  OUTPUT ${SPLAT_ENCLOSED}
  COMMAND ${CMAKE_CXX_COMPILER} ${SPLAT_LINK_FLAGS} -r -nostdlib -Wl,--force-group-allocation -o ${SPLAT_ENCLOSED} ${SPLAT_OBJECTS}
  COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=_Z*11splatwright*" ${SPLAT_ENCLOSED}
  DEPENDS ${SPLAT_OBJECTS}
  COMMENT "Enclosing the library"
  COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${SPLAT_ENCLOSED} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_library(splat_engine STATIC ${SPLAT_ENCLOSED})
add_library(Splatwright::engine ALIAS splat_engine)
set_target_properties(splat_engine PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME splatwright EXPORT_NAME engine)
target_compile_features(splat_engine INTERFACE cxx_std_20)
# Programs are linked with these, but see nothing of them: no public header includes anybody else's.
target_link_libraries(splat_engine PRIVATE fmt::fmt spdlog::spdlog nlohmann_json::nlohmann_json Threads::Threads
  JPEG::JPEG PNG::PNG ZLIB::ZLIB PkgConfig::webp PkgConfig::zip PkgConfig::zstd ${SPLAT_OPTIONAL_TARGETS} ${CMAKE_DL_LIBS})
target_include_directories(splat_engine INTERFACE $<BUILD_INTERFACE:${SPLAT_PUBLIC_INCLUDE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

if(NOT SPLAT_INSTALL)
  return()
endif()

# The headers: cmake/Headers.cmake.
install(TARGETS splat_engine EXPORT SplatwrightTargets ARCHIVE COMPONENT engine)
set(SPLAT_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Splatwright)
install(EXPORT SplatwrightTargets NAMESPACE Splatwright:: DESTINATION ${SPLAT_PACKAGE_DIR} COMPONENT engine)
configure_package_config_file(cmake/SplatwrightConfig.cmake.in ${PROJECT_BINARY_DIR}/package/SplatwrightConfig.cmake
  INSTALL_DESTINATION ${SPLAT_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/SplatwrightConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/SplatwrightConfig.cmake ${PROJECT_BINARY_DIR}/package/SplatwrightConfigVersion.cmake
  DESTINATION ${SPLAT_PACKAGE_DIR} COMPONENT engine)

# pkg-config finds the prefix from where the file itself lies.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE SPLAT_PREFIX_FROM_PC)
# Not as required modules, like libzip: pkg-config would ask for all that their static archives need.
list(TRANSFORM SPLAT_OPTIONAL_LIBRARIES PREPEND -l OUTPUT_VARIABLE SPLAT_OPTIONAL_FLAGS)
list(JOIN SPLAT_OPTIONAL_FLAGS " " SPLAT_OPTIONAL_FLAGS)
configure_file(cmake/splatwright.pc.in ${PROJECT_BINARY_DIR}/package/splatwright.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/splatwright.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT engine)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/splatwright COMPONENT engine)
if(SPLAT_PAGE_VIEWER)
  install(FILES ${SPLAT_PAGE_VIEWER}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/splatwright RENAME LICENSE.supersplat-viewer COMPONENT engine)
endif()
