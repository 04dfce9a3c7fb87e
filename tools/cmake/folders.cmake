# Functions that build the folders of cpp/ and tests/cpp/.
include(${CMAKE_SOURCE_DIR}/.toolchain/paths.cmake)

# Flags, warnings and search paths common to all code of the project.
add_library(tied_options INTERFACE)
target_compile_options(tied_options INTERFACE ${TIED_COMMON_FLAGS} ${TIED_TARGET_FLAGS} ${TIED_WARNINGS})
target_link_options(tied_options INTERFACE ${TIED_TARGET_FLAGS})
target_include_directories(tied_options INTERFACE ${CMAKE_SOURCE_DIR}/cpp)
target_include_directories(tied_options SYSTEM INTERFACE ${TIED_INCLUDE})

# tied_library(<folder> SOURCES <file>... DEPENDS <folder>...)
# One static library `tied_<folder>`; a folder with only headers becomes an interface library.
# DEPENDS names folders of lower floors.
function(tied_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  list(TRANSFORM ARG_DEPENDS PREPEND tied_)
  if(ARG_SOURCES)
    add_library(tied_${folder} STATIC ${ARG_SOURCES})
    target_link_libraries(tied_${folder} PUBLIC tied_options ${ARG_DEPENDS})
  else()
    add_library(tied_${folder} INTERFACE)
    target_link_libraries(tied_${folder} INTERFACE tied_options ${ARG_DEPENDS})
  endif()
endfunction()

# tied_wrap_allocators(<test> <function>...)
# Puts __wrap_<function> of the test between the program and the C library. Apple's linker cannot do that: code that needs
# TIED_WRAPS_ALLOCATORS is omitted there.
function(tied_wrap_allocators test)
  if(NOT APPLE)
    list(TRANSFORM ARGN PREPEND -Wl,--wrap=)
    target_link_options(${test} PRIVATE ${ARGN})
    target_compile_definitions(${test} PRIVATE TIED_WRAPS_ALLOCATORS)
  endif()
endfunction()

# tied_test(<folder> SOURCES <file>... DEPENDS <folder>...)
# One doctest program `test_<folder>`: native, or as wasm run by Node.
function(tied_test folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_SOURCES)
    return()
  endif()
  list(TRANSFORM ARG_DEPENDS PREPEND tied_)
  add_executable(test_${folder} ${ARG_SOURCES} $<TARGET_OBJECTS:doctest_main>)
  target_link_libraries(test_${folder} PRIVATE tied_test_options ${ARG_DEPENDS})
  add_test(NAME ${folder} COMMAND test_${folder} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
endfunction()
