#include "tables.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "diagnostics/alignment.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/neighbors.h"
#include "diagnostics/norm_frequency.h"
#include "diagnostics/similarity.h"
#include "diagnostics/spectral_distance.h"

namespace tied::experiments {

namespace {

constexpr double kHeldOut = 0.2;
constexpr std::size_t kNeighbors = 10;
constexpr std::size_t kPrincipalDimensions = 10;  // the default of `cka`
// Enough for every verb here to finish in one call.
constexpr std::size_t kAllBlocks = 1'000'000;
constexpr double kNotDetermined = std::numeric_limits<double>::quiet_NaN();

Status align(const std::string& what, const Matrix<float>& source, const Matrix<float>& target, const Print& print) {
  constexpr std::pair<AlignmentMethod, const char*> kMethods[] = {
      {AlignmentMethod::kIdentity, "unmapped"},
      {AlignmentMethod::kOrthogonal, "orthogonal"},
      {AlignmentMethod::kLinear, "linear"},
  };
  for (const auto& [method, name] : kMethods) {
    auto alignment = Alignment::create(source.view(), target.view(), {.method = method, .hold_out = kHeldOut});
    if (!alignment) return alignment.failure();
    if (Status status = alignment.value().advance(kAllBlocks); !status) return status;
    const std::string quantity = what + ", " + name;
    print(quantity, alignment.value().agreement().mean_cosine);
    print(quantity + ", held out", alignment.value().held_out()->mean_cosine);
    print(quantity + ", by chance", alignment.value().null_cosines().front());
  }
  auto overlap = NeighborOverlap::create(source.view(), target.view(), {.k = kNeighbors});
  if (!overlap) return overlap.failure();
  overlap.value().advance(kAllBlocks);
  print(what + ", shared neighbours", overlap.value().overlap());
  print(what + ", shared neighbours, by chance", overlap.value().by_chance());
  auto distance = SpectralDistance::create(source.view(), target.view(), {});
  if (!distance) return distance.failure();
  if (Status status = distance.value().advance(kAllBlocks); !status) return status;
  print(what + ", spectral distance", distance.value().runs()[0].distance());
  print(what + ", spectral distance, by chance", distance.value().runs()[1].distance());
  auto similar = Similarity::create(source.view(), target.view(), kPrincipalDimensions);
  if (!similar) return similar.failure();
  if (Status status = similar.value().advance(kAllBlocks); !status) return status;
  const SpaceSimilarity& spaces = similar.value().similarity();
  print(what + ", CKA", spaces.cka);
  print(what + ", CKA, by chance", spaces.cka_by_chance);
  print(what + ", principal subspaces", spaces.subspace_overlap);
  print(what + ", principal subspaces, by chance", spaces.subspace_by_chance);
  return {};
}

Status measure(const std::string& which, const Matrix<float>& table, const std::vector<std::uint32_t>& counts,
               const Print& print) {
  auto isotropy = Isotropy::create(table.view(), counts);
  if (!isotropy) return isotropy.failure();
  if (Status status = isotropy.value().advance(kAllBlocks); !status) return status;
  const IsotropyMeasures& measures = isotropy.value().measures();
  print("mean cosine, " + which, measures.mean_cosine);
  print("mean cosine without the mean, " + which, measures.centered_mean_cosine);
  print("mean cosine without the mean's direction, " + which, measures.projected_mean_cosine);
  print("IsoScore, " + which, measures.iso_score);
  print("participation ratio, " + which, measures.dimensions.participation_ratio);
  print("effective rank, " + which, measures.dimensions.effective_rank);
  print("partition, " + which, measures.partition);
  print("R2 of frequency, " + which, measures.frequency_r2.value_or(kNotDetermined));
  print("R2 of frequency, " + which + ", held out", measures.held_out_frequency_r2.value_or(kNotDetermined));
  // There are no rows of zeros here.
  const auto fitted = counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0U));
  print("R2 of frequency, " + which + ", by chance",
        static_cast<double>(table.cols()) / static_cast<double>(fitted - 1));
  auto norms = norm_frequency(table.view(), counts);
  if (!norms) return norms.failure();
  print("mean norm, " + which, norms.value().mean_norm);
  print("variation of norms, " + which, norms.value().deviation / norms.value().mean_norm);
  print("rank correlation of norm and frequency, " + which, norms.value().spearman);
  return {};
}

}  // namespace

Status measure_tables(const Tables& tables, const std::vector<std::uint32_t>& counts, const Print& print) {
  if (tables.is_tied) return measure("table", tables.input, counts, print);
  if (Status status = measure("input table", tables.input, counts, print); !status) return status;
  return measure("output table", tables.output, counts, print);
}

Status compare_with_itself(const Tables& untied, const Print& print) {
  return align("input table to output table", untied.input, untied.output, print);
}

Status compare_with_tied(const Tables& untied, const Tables& tied, const Print& print) {
  const std::string to = " to " + tied.variant;
  if (Status status = align("input table" + to, untied.input, tied.input, print); !status) return status;
  return align("output table" + to, untied.output, tied.input, print);
}

}  // namespace tied::experiments
