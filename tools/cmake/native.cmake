# Toolchain of the native builds, with the clang found by the set-up.
include(${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/paths.cmake)
set(CMAKE_CXX_COMPILER "${TIED_CLANGXX}")
# Vectors of 128 bits must be requested on x86; arm64 always has them.
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64|i[3-6]86)$")
  set(TIED_TARGET_FLAGS -msse4.2)
endif()
