# What engine/gpu/reload.cpp needs to compile kernels again as the build does.
set(SPLAT_RELOAD_FILE ${CMAKE_BINARY_DIR}/kernels/reload.json)

# splat_kernels(target): compiles every kernel below shaders/ (one entry point a file, file name = kernel name) to SPIR-V and turns
# slangc's reflection into one C++ struct a kernel, kernels/<name>.h, with the SPIR-V embedded in kernels/<name>.cpp.
set(SPLAT_KERNEL_DIRS primitives forward backward loss optimize densify viewer)
set(SPLAT_SLANG_FLAGS
  -target spirv -profile spirv_1_5 -stage compute -O2 -fvk-use-entrypoint-name -fvk-use-scalar-layout -matrix-layout-row-major
  -warnings-as-errors all -I ${CMAKE_SOURCE_DIR}/shaders
  -capability spvGroupNonUniformArithmetic+spvGroupNonUniformBallot+spvGroupNonUniformShuffle+spvAtomicFloat32AddEXT)

# Kernels that must agree bit by bit on what they compute from the same numbers, among themselves or with the host: no contraction into fused
# multiply-adds.
set(SPLAT_PRECISE_KERNELS project project_world emit_instances emit_instances_u16 finish_picture)

# splat_reloadable(name source FLAGS...): notes how a shader is compiled, but for where imports are found.
function(splat_reloadable name source)
  set(flags ${ARGN})
  list(REMOVE_ITEM flags -I ${CMAKE_SOURCE_DIR}/shaders)
  list(JOIN flags "\", \"" quoted)
  set_property(GLOBAL APPEND PROPERTY SPLAT_RELOADABLE "{\"name\": \"${name}\", \"source\": \"${source}\", \"flags\": [\"${quoted}\"]}")
endfunction()

# splat_reload_file(): writes it down, once every shader is known.
function(splat_reload_file)
  get_property(reloadable GLOBAL PROPERTY SPLAT_RELOADABLE)
  list(JOIN reloadable ",\n    " reloadable)
  file(CONFIGURE OUTPUT ${SPLAT_RELOAD_FILE} @ONLY CONTENT
    "{\n  \"slangc\": \"@SPLAT_SLANGC@\",\n  \"shaders\": \"@CMAKE_SOURCE_DIR@/shaders\",\n  \"kernels\": [\n    @reloadable@\n  ]\n}\n")
endfunction()

function(splat_kernel source out_cpp)
  get_filename_component(name ${source} NAME_WE)
  set(dir ${CMAKE_BINARY_DIR}/kernels)
  set(spv ${dir}/${name}.spv)
  set(flags -entry ${name} ${SPLAT_SLANG_FLAGS})
  if(name IN_LIST SPLAT_PRECISE_KERNELS)
    list(APPEND flags -fp-mode precise)
  endif()
  add_custom_command(
    OUTPUT ${spv} ${dir}/${name}.h ${dir}/${name}.cpp
    COMMAND ${SPLAT_SLANGC} ${source} ${flags}
            -reflection-json ${dir}/${name}.json -depfile ${dir}/${name}.d -o ${spv}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/generate_kernel.py
            ${name} ${source} ${dir} ${SPLAT_SLANG_VERSION}
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/generate_kernel.py
    DEPFILE ${dir}/${name}.d
    COMMENT "Kernel ${name}"
    VERBATIM)
  set(${out_cpp} ${dir}/${name}.cpp PARENT_SCOPE)
  splat_reloadable(${name} ${source} ${flags})
endfunction()

# splat_kernel_list(out_cpp names...): kernels/all.h and .cpp, by which a program finds every kernel: what a device can run, say.
function(splat_kernel_list out_cpp)
  set(dir ${CMAKE_BINARY_DIR}/kernels)
  set(includes)
  set(infos)
  foreach(name ${ARGN})
    string(APPEND includes "#include \"kernels/${name}.h\"\n")
    string(APPEND infos "        &${name}::info(),\n")
  endforeach()
  file(CONFIGURE OUTPUT ${dir}/all.h @ONLY CONTENT
    "#pragma once\n#include <vector>\n\n#include \"gpu/kernel.h\"\n\nnamespace splat::kernels {\n/// Every kernel there is.\nstd::vector<const gpu::KernelInfo*> all();\n}\n")
  file(CONFIGURE OUTPUT ${dir}/all.cpp @ONLY CONTENT
    "#include \"kernels/all.h\"\n\n@includes@\nnamespace splat::kernels {\nstd::vector<const gpu::KernelInfo*> all() {\n    return {\n@infos@    };\n}\n}\n")
  set(${out_cpp} ${dir}/all.cpp PARENT_SCOPE)
endfunction()

function(splat_kernels target)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/kernels)
  set(sources)
  set(names)
  foreach(folder ${SPLAT_KERNEL_DIRS})
    file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/shaders/${folder}/*.slang)
    foreach(kernel ${kernels})
      splat_kernel(${kernel} cpp)
      list(APPEND sources ${cpp})
      get_filename_component(name ${kernel} NAME_WE)
      list(APPEND names ${name})
    endforeach()
  endforeach()
  splat_kernel_list(list ${names})
  add_library(${target} STATIC ${sources} ${list})
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/shaders)
  target_link_libraries(${target} PUBLIC splat_gpu)
endfunction()

# splat_graphics_shader(target function source VERTEX FRAGMENT): compiles a vertex and a fragment entry point to one SPIR-V module, which
# `std::span<const uint32_t> splat::gpu::<function>()` of the target returns.
function(splat_graphics_shader target function source vertex fragment)
  set(dir ${CMAKE_BINARY_DIR}/kernels)
  get_filename_component(name ${source} NAME_WE)
  set(flags ${SPLAT_SLANG_FLAGS})
  list(REMOVE_ITEM flags -stage compute)
  list(APPEND flags -entry ${vertex} -stage vertex -entry ${fragment} -stage fragment)
  add_custom_command(
    OUTPUT ${dir}/${name}.spv ${dir}/${name}.cpp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${dir}
    COMMAND ${SPLAT_SLANGC} ${source} ${flags}
            -reflection-json ${dir}/${name}.json -depfile ${dir}/${name}.d -o ${dir}/${name}.spv
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/cmake/embed_shader.py ${function} ${dir}/${name}.spv ${dir}/${name}.cpp
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/embed_shader.py ${CMAKE_SOURCE_DIR}/cmake/generate_kernel.py
    DEPFILE ${dir}/${name}.d
    COMMENT "Shader ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${dir}/${name}.cpp)
  splat_reloadable(${name} ${source} ${flags})
endfunction()
