# What Microsoft's compiler and linker need for all sources; nobody has tried it yet (README.md beside this file).
add_compile_options(/permissive- /Zc:preprocessor /Zc:__cplusplus /utf-8 /bigobj)
add_compile_definitions(_CRT_SECURE_NO_WARNINGS)
add_link_options(/MANIFEST:NO)  # app/windows/splatwright.rc has one
