# Toolchain of the wasm build, with the Emscripten found by the set-up.
include(${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/paths.cmake)
include(${TIED_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
