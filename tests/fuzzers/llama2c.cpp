// Any bytes as a model file of llama2.c: refused by name, or opened and copied into a model, without reading beyond
// the bytes.
#include <cmath>

#include "checkpoint/llama2c_file.h"
#include "input.h"
#include "model/model.h"

namespace tied::fuzz {
namespace {

// More parameters would only take time.
constexpr std::uint64_t kMostBytes = 1 << 16;

void open(Bytes bytes) {
  if (bytes.size() > kMostBytes) return;
  const Exactly exact(bytes, false);
  auto opened = open_llama2c(exact.bytes());
  if (!opened) {
    check(!opened.error().message().empty(), "an error has words");
    return;
  }
  auto model = create_model<float>(opened.value().config, 1, 8);
  if (!model) fault("a file that is accepted is a model");
  read_values(model.value()->parameters(), opened.value());
}

}  // namespace
}  // namespace tied::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tied::fuzz::open({data, size});
  return 0;
}
