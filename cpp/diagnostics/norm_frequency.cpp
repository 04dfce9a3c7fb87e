#include "diagnostics/norm_frequency.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

double mean_of(const AlignedBuffer<double>& values) {
  return sum(values.data(), values.size()) / static_cast<double>(values.size());
}

double correlation(const AlignedBuffer<double>& x, const AlignedBuffer<double>& y) {
  const double mean_x = mean_of(x);
  const double mean_y = mean_of(y);
  double xx = 0;
  double yy = 0;
  double xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - mean_x;
    const double dy = y[i] - mean_y;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  // NaN if one of them does not vary.
  return xx == 0 || yy == 0 ? std::numeric_limits<double>::quiet_NaN() : xy / std::sqrt(xx * yy);
}

// Replaces values by their ranks; equal values share the mean of their ranks.
Status rank(AlignedBuffer<double>& values) {
  AlignedBuffer<std::uint32_t> order;
  AlignedBuffer<double> ranks;
  if (Status status = allocate(order, values.size()); !status) return status;
  if (Status status = allocate(ranks, values.size()); !status) return status;
  std::iota(order.begin(), order.end(), 0U);
  sort_ids({order.data(), order.size()}, values.data());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + end - 1) / 2;
    for (std::size_t i = begin; i < end; ++i) ranks[order[i]] = shared;
  }
  values = std::move(ranks);
  return {};
}

}  // namespace

Result<NormFrequency> norm_frequency(ConstMatrixView<float> table, std::span<const std::uint32_t> counts) {
  if (Status status = check_some_rows("table", table); !status) return status;
  if (counts.size() != table.rows) {
    return make_error(ErrorCode::kShapeMismatch, "counts.length", counts.size(),
                      joined({"as many as the table has rows, ", text_of(table.rows)}));
  }
  auto rows = nonzero_rows({table});
  if (!rows) return rows.failure();
  const std::size_t size = rows.value().size();
  if (size < 2) return rows_error("table", size, "at least 2 rows that are not zero");
  AlignedBuffer<double> norms;
  AlignedBuffer<double> frequencies;
  if (Status status = allocate(norms, size); !status) return status;
  if (Status status = allocate(frequencies, size); !status) return status;

  NormFrequency found;
  const std::vector<std::uint32_t> starts = frequency_band_starts();
  std::vector<FrequencyBand> bands(starts.size());
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t row = rows.value()[i];
    norms[i] = std::sqrt(squared_norm(table.row(row), table.cols));
    frequencies[i] = static_cast<double>(counts[row]);
    const std::size_t index = frequency_band_of(starts, counts[row]);
    FrequencyBand& band = bands[index];
    band.limits = frequency_band_limits(starts, index);
    band.mean_norm += norms[i];
    ++band.rows;
  }
  for (FrequencyBand& band : bands) {
    if (band.rows == 0) continue;
    band.mean_norm /= static_cast<double>(band.rows);
    found.bands.push_back(band);
  }
  found.left_out = table.rows - size;
  found.by_chance = 1 / std::sqrt(static_cast<double>(size - 1));
  found.mean_norm = mean_of(norms);
  double squares = 0;
  for (const double norm : norms) squares += (norm - found.mean_norm) * (norm - found.mean_norm);
  found.deviation = std::sqrt(squares / static_cast<double>(size));
  for (double& frequency : frequencies) frequency = natural_log(1 + frequency) / std::numbers::ln10;
  found.pearson = correlation(norms, frequencies);
  if (Status status = rank(norms); !status) return status;
  if (Status status = rank(frequencies); !status) return status;
  found.spearman = correlation(norms, frequencies);
  return found;
}

}  // namespace tied
