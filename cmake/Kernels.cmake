# What engine/gpu/reload.cpp needs to compile kernels again as the build does.
set(SPLAT_RELOAD_FILE ${PROJECT_BINARY_DIR}/kernels/reload.json)

# splat_kernels(target): compiles every kernel below shaders/ to SPIR-V and turns slangc's reflection into one C++ struct per kernel,
# kernels/<name>.h. A kernel is an entry point, of which a file may hold several; each is compiled by itself, so that it has no capability of
# another. The C++ of a folder is compiled as one file, and one object file per folder embeds the SPIR-V.
if(NOT WIN32)
  enable_language(ASM)
endif()
set(SPLAT_KERNEL_DIRS primitives forward backward loss optimize densify fit2d evaluate explain viewer convert)
set(SPLAT_SLANG_FLAGS
  -target spirv -profile spirv_1_5 -stage compute -O2 -fvk-use-entrypoint-name -fvk-use-scalar-layout -matrix-layout-row-major
  -warnings-as-errors all -I ${PROJECT_SOURCE_DIR}/shaders
  -capability spvGroupNonUniformArithmetic+spvGroupNonUniformBallot+spvGroupNonUniformShuffle+spvAtomicFloat32AddEXT)

# Kernels that must agree bit by bit on what they compute from the same numbers, among themselves or with the host: no contraction into fused
# multiply-adds.
set(SPLAT_PRECISE_KERNELS project project_blobs project_world emit_instances emit_instances_u16 finish_picture feature_distance)

# Kernels that need more than 16 KiB of groupshared memory and have no other to take their place are compiled a second time, as NAME_small
# (shaders/lib/core/small.slang).
set(SPLAT_SMALL_KERNELS scan_write_u64 scan_write_portable_u64 sort_scatter_portable8 sort_scatter_portable8_u16
  blend_backward_subtile_shared blend_backward_subtile_shared_cas blend_backward_subtile_shared_fixed count_additions_subtile_shared)

# splat_reloadable(name source FLAGS...): notes how a shader is compiled, but for where imports are found.
function(splat_reloadable name source)
  set(flags ${ARGN})
  list(REMOVE_ITEM flags -I ${PROJECT_SOURCE_DIR}/shaders)
  list(JOIN flags "\", \"" quoted)
  set_property(GLOBAL APPEND PROPERTY SPLAT_RELOADABLE "{\"name\": \"${name}\", \"source\": \"${source}\", \"flags\": [\"${quoted}\"]}")
endfunction()

# splat_reload_file(): writes it down, once every shader is known.
function(splat_reload_file)
  get_property(reloadable GLOBAL PROPERTY SPLAT_RELOADABLE)
  list(JOIN reloadable ",\n    " reloadable)
  file(CONFIGURE OUTPUT ${SPLAT_RELOAD_FILE} @ONLY CONTENT
    "{\n  \"slangc\": \"@SPLAT_SLANGC@\",\n  \"shaders\": \"@PROJECT_SOURCE_DIR@/shaders\",\n  \"kernels\": [\n    @reloadable@\n  ]\n}\n")
endfunction()

# splat_entry_points(source out): names of a file's compute entry points.
function(splat_entry_points source out)
  file(READ ${source} text)
  string(REPLACE ";" "," text "${text}")
  string(REGEX MATCHALL "\\[shader\\(\"compute\"\\)\\][^{(]*(\\([^)]*\\)\\][^{(]*)*void [a-z0-9_]+\\(" heads "${text}")
  list(TRANSFORM heads REPLACE "^.*void ([a-z0-9_]+)\\($" "\\1")
  set(${out} ${heads} PARENT_SCOPE)
endfunction()

# splat_kernel(name source): makes kernels/<name>.spv, .h and .cpp.
function(splat_kernel name source)
  set(dir ${PROJECT_BINARY_DIR}/kernels)
  set(spv ${dir}/${name}.spv)
  set(flags -entry ${name} ${SPLAT_SLANG_FLAGS})
  set(small)
  if(name IN_LIST SPLAT_SMALL_KERNELS)
    set(small ${name}_small)
  elseif(name MATCHES "^(.+)_small$")
    list(APPEND flags -D SPLAT_SMALL -D ${CMAKE_MATCH_1}=${name})
  endif()
  if(name IN_LIST SPLAT_PRECISE_KERNELS)
    list(APPEND flags -fp-mode precise)
  endif()
  add_custom_command(
    OUTPUT ${spv} ${dir}/${name}.h ${dir}/${name}.cpp
    COMMAND ${SPLAT_SLANGC} ${source} ${flags}
            -reflection-json ${dir}/${name}.json -depfile ${dir}/${name}.d -o ${spv}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/generate_kernel.py
            ${name} ${source} ${dir} ${SPLAT_SLANG_VERSION} ${small}
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/generate_kernel.py ${PROJECT_SOURCE_DIR}/cmake/groupshared.py
    DEPFILE ${dir}/${name}.d
    COMMENT "Kernel ${name}"
    VERBATIM)
  splat_reloadable(${name} ${source} ${flags})
endfunction()

# splat_embed(out folder names...): a source that embeds the SPIR-V of kernels between splat_spirv_<name> and splat_spirv_<name>_end.
function(splat_embed out folder)
  list(TRANSFORM ARGN REPLACE "(.+)" "${PROJECT_BINARY_DIR}/kernels/\\1.spv" OUTPUT_VARIABLE code)
  if(WIN32)
    splat_embed_in_object(embedded ${folder} ${ARGN})
  else()
    splat_embed_in_assembler(embedded ${folder} ${ARGN})
  endif()
  set(${out} ${embedded} PARENT_SCOPE)
endfunction()

# An assembler file.
function(splat_embed_in_assembler out folder)
  set(dir ${PROJECT_BINARY_DIR}/kernels)
  set(text "    .section .rodata\n")
  foreach(name ${ARGN})
    set(symbol splat_spirv_${name})
    string(APPEND text "    .globl ${symbol}, ${symbol}_end\n    .balign 4\n${symbol}:\n    .incbin \"${dir}/${name}.spv\"\n${symbol}_end:\n")
    string(APPEND text "    .hidden ${symbol}, ${symbol}_end\n")
  endforeach()
  string(APPEND text "    .section .note.GNU-stack,\"\",%progbits\n")
  file(CONFIGURE OUTPUT ${dir}/${folder}.s @ONLY CONTENT "@text@")
  set_source_files_properties(${dir}/${folder}.s PROPERTIES OBJECT_DEPENDS "${code}")
  set(${out} ${dir}/${folder}.s PARENT_SCOPE)
endfunction()

# An object file. Like the function above, it takes the files of the modules, `code`, from its caller.
function(splat_embed_in_object out folder)
  set(object ${PROJECT_BINARY_DIR}/kernels/${folder}.obj)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_kernels.py)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${Python3_EXECUTABLE} ${script} ${object} ${PROJECT_BINARY_DIR}/kernels ${ARGN}
    DEPENDS ${code} ${script}
    COMMENT "Code of kernels: ${folder}"
    VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${out} ${object} PARENT_SCOPE)
endfunction()

# splat_kernel_list(out_cpp names...): kernels/all.h and .cpp, by which a program finds every kernel: what a device can run, say.
function(splat_kernel_list out_cpp)
  set(dir ${PROJECT_BINARY_DIR}/kernels)
  set(includes)
  set(infos)
  foreach(name ${ARGN})
    string(APPEND includes "#include \"kernels/${name}.h\"\n")
    string(APPEND infos "        &${name}::info(),\n")
  endforeach()
  file(CONFIGURE OUTPUT ${dir}/all.h @ONLY CONTENT
    "#pragma once\n#include <vector>\n\n#include <splatwright/gpu/kernel.h>\n\nnamespace splat::kernels {\n/// Every kernel there is.\nstd::vector<const gpu::KernelInfo*> all();\n}\n")
  file(CONFIGURE OUTPUT ${dir}/all.cpp @ONLY CONTENT
    "#include \"kernels/all.h\"\n\n@includes@\nnamespace splat::kernels {\nstd::vector<const gpu::KernelInfo*> all() {\n    return {\n@infos@    };\n}\n}\n")
  set(${out_cpp} ${dir}/all.cpp PARENT_SCOPE)
endfunction()

# splat_kernel_folder(target folder): adds the kernels of a folder to a target and their names to `names`.
macro(splat_kernel_folder target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/${folder}/*.slang)
  set(inFolder)
  foreach(source ${sources})
    splat_entry_points(${source} entries)
    foreach(name ${entries})
      splat_kernel(${name} ${source})
      list(APPEND inFolder ${name})
      if(name IN_LIST SPLAT_SMALL_KERNELS)
        splat_kernel(${name}_small ${source})
        list(APPEND inFolder ${name}_small)
      endif()
    endforeach()
  endforeach()
  list(TRANSFORM inFolder REPLACE "(.+)" "${PROJECT_BINARY_DIR}/kernels/\\1.cpp" OUTPUT_VARIABLE generated)
  set_source_files_properties(${generated} PROPERTIES UNITY_GROUP ${folder})
  splat_embed(embedded ${folder} ${inFolder})
  target_sources(${target} PRIVATE ${generated} ${embedded})
  list(APPEND names ${inFolder})
endmacro()

function(splat_kernels target)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/kernels)
  add_library(${target} STATIC)
  set(names)
  foreach(folder ${SPLAT_KERNEL_DIRS})
    splat_kernel_folder(${target} ${folder})
  endforeach()
  splat_kernel_list(list ${names})
  target_sources(${target} PRIVATE ${list})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_include_directories(${target} PUBLIC ${PROJECT_BINARY_DIR})
  target_link_libraries(${target} PUBLIC splat_gpu PRIVATE splat_warnings splat_own_names)
endfunction()

# splat_graphics_shader(target function source VERTEX FRAGMENT): compiles a vertex and a fragment entry point to one SPIR-V module, which
# `std::span<const uint32_t> splat::gpu::<function>()` of the target returns.
function(splat_graphics_shader target function source vertex fragment)
  set(dir ${PROJECT_BINARY_DIR}/kernels)
  get_filename_component(name ${source} NAME_WE)
  set(flags ${SPLAT_SLANG_FLAGS})
  list(REMOVE_ITEM flags -stage compute)
  list(APPEND flags -entry ${vertex} -stage vertex -entry ${fragment} -stage fragment)
  add_custom_command(
    OUTPUT ${dir}/${name}.spv ${dir}/${name}.cpp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${dir}
    COMMAND ${SPLAT_SLANGC} ${source} ${flags}
            -reflection-json ${dir}/${name}.json -depfile ${dir}/${name}.d -o ${dir}/${name}.spv
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/embed_shader.py ${function} ${dir}/${name}.spv ${dir}/${name}.cpp
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/embed_shader.py ${PROJECT_SOURCE_DIR}/cmake/generate_kernel.py
            ${PROJECT_SOURCE_DIR}/cmake/groupshared.py
    DEPFILE ${dir}/${name}.d
    COMMENT "Shader ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${dir}/${name}.cpp)
  splat_reloadable(${name} ${source} ${flags})
endfunction()
