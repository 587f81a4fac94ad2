# civetweb with what the viewer in a browser needs: WebSockets, and neither files, CGI nor TLS.
cmake_minimum_required(VERSION 3.25)
project(civetweb LANGUAGES C)
add_library(civetweb STATIC src/civetweb.c)
target_include_directories(civetweb PRIVATE include)
target_compile_definitions(civetweb PRIVATE USE_WEBSOCKET NO_FILES NO_CGI NO_SSL NO_CACHING)
install(TARGETS civetweb ARCHIVE DESTINATION lib)
install(FILES include/civetweb.h DESTINATION include)
