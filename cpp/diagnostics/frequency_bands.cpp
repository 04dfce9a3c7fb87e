#include "diagnostics/frequency_bands.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/token_ids.h"
#include "linalg/checks.h"
#include "linalg/reduce.h"

namespace tied {

std::vector<std::uint32_t> frequency_band_starts() {
  std::vector<std::uint32_t> starts = {0};
  // 10^(k / 2) rounded up, to the largest below 2^32.
  const double root = std::sqrt(10.0);
  double power = 1;
  for (int k = 0; k < 20; ++k) {
    starts.push_back(static_cast<std::uint32_t>(std::ceil(k % 2 == 0 ? power : power * root)));
    if (k % 2 == 1) power *= 10;
  }
  return starts;
}

std::size_t frequency_band_of(std::span<const std::uint32_t> starts, std::uint32_t count) {
  return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), count) - starts.begin()) - 1;
}

BandLimits frequency_band_limits(std::span<const std::uint32_t> starts, std::size_t band) {
  const bool last = band + 1 == starts.size();
  return {starts[band], last ? std::numeric_limits<std::uint32_t>::max() : starts[band + 1] - 1};
}

Result<std::vector<LossBand>> loss_by_frequency(std::span<const float> losses, std::span<const std::uint32_t> targets,
                                                std::span<const std::uint32_t> counts) {
  if (losses.size() != targets.size()) {
    return make_error(ErrorCode::kShapeMismatch, "losses.length", losses.size(),
                      joined({"as many as there are targets, ", text_of(targets.size())}));
  }
  if (Status status = check_token_ids("targets", targets, counts.size()); !status) return status;
  const std::size_t wrong = first_not_finite(losses.data(), losses.size());
  if (wrong < losses.size()) {
    return make_error(ErrorCode::kNotFinite, joined({"losses[", text_of(wrong), "]"}), losses[wrong],
                      "a finite number");
  }
  const std::vector<std::uint32_t> starts = frequency_band_starts();
  std::vector<LossBand> bands(starts.size());
  std::vector<std::size_t> band_of(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    band_of[i] = frequency_band_of(starts, counts[targets[i]]);
    bands[band_of[i]].loss += static_cast<double>(losses[i]);
    ++bands[band_of[i]].tokens;
  }
  for (LossBand& band : bands) band.loss /= static_cast<double>(std::max<std::size_t>(band.tokens, 1));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    LossBand& band = bands[band_of[i]];
    const double from_mean = static_cast<double>(losses[i]) - band.loss;
    band.standard_error += from_mean * from_mean;
  }
  std::vector<LossBand> found;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    LossBand& band = bands[i];
    if (band.tokens == 0) continue;
    const double tokens = static_cast<double>(band.tokens);
    band.limits = frequency_band_limits(starts, i);
    band.standard_error = std::sqrt(band.standard_error / ((tokens - 1) * tokens));  // 0 / 0 for a single token
    found.push_back(band);
  }
  return found;
}

}  // namespace tied
