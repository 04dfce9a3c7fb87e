# Toolchain of the native builds: the clang that the set-up found.
include(${CMAKE_CURRENT_LIST_DIR}/../../.toolchain/paths.cmake)
set(CMAKE_CXX_COMPILER "${TIED_CLANGXX}")
# Vectors of 128 bits: x86 has to be asked for them, arm64 always has them.
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64|i[3-6]86)$")
  set(TIED_TARGET_FLAGS -msse4.2)
endif()
