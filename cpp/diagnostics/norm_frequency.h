// How the lengths of the rows of an embedding table depend on how often their tokens occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/record.h"
#include "diagnostics/frequency_bands.h"
#include "linalg/matrix_view.h"

namespace tied {

struct FrequencyBand {
  BandLimits limits;
  double mean_norm = 0;
  std::size_t rows = 0;

  using Answered = Record<&FrequencyBand::limits, &FrequencyBand::mean_norm, &FrequencyBand::rows>;
};

struct NormFrequency {
  // Rank correlation of the norms with the counts; equal values share the mean of their ranks. NaN if all norms or all
  // counts are equal.
  double spearman = 0;
  // Correlation of the norms with log10(1 + count). NaN as above.
  double pearson = 0;
  // The standard deviation of either correlation by chance, with the counts in a random order: 1 / sqrt(rows - 1).
  double by_chance = 0;
  double mean_norm = 0;
  double deviation = 0;              // of the norms, over all rows
  std::vector<FrequencyBand> bands;  // ascending; those that have rows
  std::size_t left_out = 0;          // rows of zeros

  using Answered =
      Record<&NormFrequency::spearman, &NormFrequency::pearson, &NormFrequency::by_chance, &NormFrequency::mean_norm,
             &NormFrequency::deviation, &NormFrequency::bands, &NormFrequency::left_out>;
};

// counts [V]: how often each row's token occurs. Rows of zeros are left out.
// Errors: those of check_table; kShapeMismatch unless there are as many counts as rows; kInvalidArgument with fewer
// than 2 rows that are not zero; kOutOfMemory.
Result<NormFrequency> norm_frequency(ConstMatrixView<float> table, std::span<const std::uint32_t> counts);

}  // namespace tied
