# The program for Windows as a portable zip: `cpack` in the build folder. One folder: the program, how to start it, and the licences of all that is in it.
install(FILES app/windows/README.txt DESTINATION . COMPONENT program)
install(FILES LICENSE DESTINATION . RENAME LICENSE.txt COMPONENT program)
install(DIRECTORY ${SPLAT_WINDOWS_LIBRARIES}/licences DESTINATION . COMPONENT program PATTERN googletest EXCLUDE)
if(SPLAT_PAGE_VIEWER)
  install(FILES ${SPLAT_PAGE_VIEWER}/LICENSE DESTINATION licences/supersplat-viewer COMPONENT program)
endif()

set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_NAME splatwright)
set(CPACK_PACKAGE_FILE_NAME splatwright-${PROJECT_VERSION}-windows-x86_64)
set(CPACK_STRIP_FILES ON)
include(CPack)
