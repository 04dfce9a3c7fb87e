# Functions that build the folders of cpp/ and tests/cpp/.
include(${CMAKE_SOURCE_DIR}/.toolchain/paths.cmake)

# Flags, warnings and search paths common to all code of the project.
add_library(tied_options INTERFACE)
target_compile_options(tied_options INTERFACE ${TIED_COMMON_FLAGS} ${TIED_TARGET_FLAGS} ${TIED_WARNINGS})
target_link_options(tied_options INTERFACE ${TIED_TARGET_FLAGS} ${TIED_CORE_FLAGS})
target_include_directories(tied_options INTERFACE ${CMAKE_SOURCE_DIR}/cpp)
target_include_directories(tied_options SYSTEM INTERFACE ${TIED_INCLUDE})

# tied_precompiled(<target> <header>...)
# Headers of others that nearly every source includes, parsed once for all targets with the options of `target`.
function(tied_precompiled target)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${target}.cpp CONTENT "// Its headers are precompiled.\n")
  add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/${target}.cpp)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # By content and not by time, so that ccache may keep the result.
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
endfunction()

# Not in native-release: it compiles each source of the core by itself, so an #include that is missing is an error there.
if(EMSCRIPTEN OR TIED_SOURCES_TOGETHER)
  tied_precompiled(tied_core_headers
    <algorithm> <array> <bit> <cmath> <cstddef> <cstdint> <cstdlib> <cstring> <limits> <memory> <optional> <span> <string>
    <string_view> <type_traits> <utility> <vector> <xsimd/xsimd.hpp>)
  target_link_libraries(tied_core_headers PRIVATE tied_options)
  target_compile_options(tied_core_headers PRIVATE ${TIED_CORE_FLAGS})
endif()

# tied_library(<folder> SOURCES <file>... DEPENDS <folder>...)
# One static library `tied_<folder>`; a folder with only headers becomes an interface library.
# DEPENDS names folders of lower floors.
function(tied_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  list(TRANSFORM ARG_DEPENDS PREPEND tied_)
  if(ARG_SOURCES)
    add_library(tied_${folder} STATIC ${ARG_SOURCES})
    target_link_libraries(tied_${folder} PUBLIC tied_options ${ARG_DEPENDS})
    target_compile_options(tied_${folder} PRIVATE ${TIED_CORE_FLAGS})
    if(TARGET tied_core_headers)
      target_precompile_headers(tied_${folder} REUSE_FROM tied_core_headers)
    endif()
    if(TIED_SOURCES_TOGETHER)
      set_target_properties(tied_${folder} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
  else()
    add_library(tied_${folder} INTERFACE)
    target_link_libraries(tied_${folder} INTERFACE tied_options ${ARG_DEPENDS})
  endif()
endfunction()

# tied_tests(<folder> SOURCES <file>... [ALLOCATIONS <file>...] DEPENDS <folder>...)
# Adds a folder's sources to the doctest program `core_tests`, and those that count allocations to `allocation_tests`.
function(tied_tests folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALLOCATIONS;DEPENDS" ${ARGN})
  if(NOT ARG_SOURCES)
    message(FATAL_ERROR "tied_tests(${folder}) names no SOURCES, so the folder would pass without a test")
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND tied_)
  target_sources(core_tests PRIVATE ${ARG_SOURCES})
  # Names need to differ within a folder. It is one unit where starting the compiler takes long; elsewhere a few sources are one, so
  # that a change of one compiles few others.
  list(LENGTH ARG_SOURCES per_unit)
  if(NOT TIED_SOURCES_TOGETHER AND NOT EMSCRIPTEN)
    set(per_unit 4)
  endif()
  set(count 0)
  foreach(source IN LISTS ARG_SOURCES)
    math(EXPR unit "${count} / ${per_unit}")
    math(EXPR count "${count} + 1")
    set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/${source} TARGET_DIRECTORY core_tests PROPERTIES
      UNITY_GROUP ${folder}_${unit})
  endforeach()
  target_link_libraries(core_tests PRIVATE ${ARG_DEPENDS})
  add_test(NAME ${folder} COMMAND core_tests "--source-file=*tests/cpp/${folder}/*")
  if(ARG_ALLOCATIONS)
    target_sources(allocation_tests PRIVATE ${ARG_ALLOCATIONS})
    target_link_libraries(allocation_tests PRIVATE ${ARG_DEPENDS})
  endif()
endfunction()
