// Bands of tokens by how often they occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/record.h"

namespace tied {

// The limits of the bands: 0, then from 1, 4, 10, 32, 100, 317, ...: the integers from half powers of 10 on.
std::vector<std::uint32_t> frequency_band_starts();

// The index of the band of a token that occurs `count` times.
std::size_t frequency_band_of(std::span<const std::uint32_t> starts, std::uint32_t count);

// Tokens that occur from `from` to `to` times.
struct BandLimits {
  std::uint32_t from = 0;
  std::uint32_t to = 0;

  using Answered = Record<&BandLimits::from, &BandLimits::to>;
};
BandLimits frequency_band_limits(std::span<const std::uint32_t> starts, std::size_t band);

// Predictions of the tokens of a band.
struct LossBand {
  BandLimits limits;
  std::size_t tokens = 0;
  double loss = 0;            // mean, nats per token
  double standard_error = 0;  // of the mean; NaN for a single token

  using Answered = Record<&LossBand::limits, &LossBand::tokens, &LossBand::loss, &LossBand::standard_error>;
};

// Losses by how often the predicted token occurs: losses[i], in nats, is the loss of a prediction whose target is
// targets[i], a token that occurs counts[targets[i]] times. Bands without predictions are left out.
// Errors: kShapeMismatch unless there are as many losses as targets; kInvalidArgument for a target without a count;
// kNotFinite naming the first loss that is NaN or infinite.
Result<std::vector<LossBand>> loss_by_frequency(std::span<const float> losses, std::span<const std::uint32_t> targets,
                                                std::span<const std::uint32_t> counts);

}  // namespace tied
