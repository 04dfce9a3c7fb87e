# Toolchain of the native builds: the clang that the set-up found.
include(${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/paths.cmake)
set(CMAKE_CXX_COMPILER "${TIED_CLANGXX}")
