# Toolchain for arm64 on another machine: its tests run in an emulator. On an arm64 machine, use the native presets.
include(${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/paths.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER "${TIED_CLANGXX}")
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
# Static, so that the emulator needs no libraries of the other system.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-fuse-ld=lld -static")
