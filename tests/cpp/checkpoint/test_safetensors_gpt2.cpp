// PyTorch opens our files as GPT-2 and computes the same logits.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "reference/safetensors_gpt2_reference.h"
#include "support.h"

namespace tied {
namespace {

TEST_CASE("PyTorch reads our file as GPT-2 and computes our logits, tied and untied") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const ModelConfig config = test::gpt2_config(tying);
    const auto model = test::numbered_model(config);
    // Input of tests/reference/safetensors_gpt2_reference.py, which computed the expected logits from these files.
    if (const char* folder = std::getenv("TIED_SAFETENSORS_FOLDER")) {
      const std::string path = std::string(folder) + "/gpt2-" + std::string(tying_name(tying)) + ".safetensors";
      std::FILE* file = std::fopen(path.c_str(), "wb");
      REQUIRE(file != nullptr);
      const test::Bytes bytes = test::written(config, model->parameters());
      REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
      std::fclose(file);
    }
    auto twin = create_model<double>(config, 1, 16);
    REQUIRE(twin.ok());
    for (std::size_t i = 0; i < model->parameters().all_values().size(); ++i) {
      twin.value()->parameters().all_values()[i] = static_cast<double>(model->parameters().all_values()[i]);
    }

    const std::vector<std::uint32_t> ids(std::begin(reference::kGpt2Ids), std::end(reference::kGpt2Ids));
    const double* expected = tying == Tying::kTied ? reference::kGpt2LogitsTied : reference::kGpt2LogitsUntied;
    const Matrix<float> logits = test::logits_of(*model, ids);
    const Matrix<double> double_logits = test::logits_of(*twin.value(), ids);
    for (std::size_t i = 0; i < ids.size() * 13; ++i) {
      CAPTURE(i);
      // Two programs in double with sums in different orders, and rounding to our floats; logits are of size 1.
      CHECK(std::fabs(double_logits.data()[i] - expected[i]) <= 1e-13);
      CHECK(std::fabs(static_cast<double>(logits.data()[i]) - expected[i]) <= 1e-5);
    }
  }
}

}  // namespace
}  // namespace tied
