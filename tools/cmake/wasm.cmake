# Toolchain of the wasm build: the Emscripten that the set-up found.
include(${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/paths.cmake)
include(${TIED_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
