#include "direct_path/symmetry.h"

#include <algorithm>
#include <cmath>

#include "direct_path/symmetry_options.h"
#include "direct_path/worst_pairs.h"
#include "linalg/checks.h"

namespace tied {
namespace {

// Rows and columns of a tile; a tile and its mirror image fit into the first-level cache together.
constexpr std::size_t kTile = 32;

}  // namespace

Status check_symmetry_options(const SymmetryOptions& options) {
  if (!(options.tolerance >= 0) || std::isinf(options.tolerance)) {
    return make_error(ErrorCode::kInvalidArgument, "tolerance", options.tolerance, "a finite number of at least 0");
  }
  if (options.worst > kMaxWorstPairs) {
    return make_error(ErrorCode::kInvalidArgument, "worst", options.worst,
                      joined({"at most ", text_of(kMaxWorstPairs), " pairs"}));
  }
  return Status();
}

std::size_t listed_pairs(std::size_t worst, std::size_t vocab_size) {
  // With 2^16 or more tokens there are more pairs than the limit, and their number may overflow.
  if (vocab_size >= kMaxWorstPairs) return worst;
  return std::min(worst, vocab_size * (vocab_size - 1) / 2);
}

Result<Symmetry> symmetry(ConstMatrixView<float> square, const SymmetryOptions& options) {
  if (Status status = check_symmetry_options(options); !status) return status;
  if (Status status = check_square("square", square.rows, square.cols, 1); !status) return status;
  if (Status status = check_finite("square", square); !status) return status;

  const std::size_t n = square.rows;
  WorstPairs worst(listed_pairs(options.worst, n));
  double largest = 0;
  double diagonal = 0;     // sum a_ii^2
  double sums = 0;         // sum over pairs of (a_ij + a_ji)^2
  double differences = 0;  // sum over pairs of (a_ij - a_ji)^2
  for (std::size_t i = 0; i < n; ++i) {
    const auto a_ii = static_cast<double>(square(i, i));
    diagonal += a_ii * a_ii;
  }
  for (std::size_t row = 0; row < n; row += kTile) {
    for (std::size_t col = row; col < n; col += kTile) {
      for (std::size_t i = row; i < std::min(n, row + kTile); ++i) {
        for (std::size_t j = std::max(col, i + 1); j < std::min(n, col + kTile); ++j) {
          const auto forward = static_cast<double>(square(i, j));
          const auto backward = static_cast<double>(square(j, i));
          const double difference = std::fabs(forward - backward);
          const double sum = forward + backward;
          largest = std::max(largest, difference);
          differences += difference * difference;
          sums += sum * sum;
          worst.offer(difference, i, j);
        }
      }
    }
  }

  Symmetry result;
  result.max_difference = largest;
  result.symmetric = largest <= options.tolerance;
  result.symmetric_norm = std::sqrt(diagonal + sums / 2);
  result.skew_norm = std::sqrt(differences / 2);
  set_norm_and_asymmetry(result);
  for (const WorstPairs::Pair& pair : std::move(worst).sorted()) {
    result.worst.push_back({pair.row, pair.col, static_cast<double>(square(pair.row, pair.col)),
                            static_cast<double>(square(pair.col, pair.row))});
  }
  return result;
}

void set_norm_and_asymmetry(Symmetry& result) {
  result.norm = std::sqrt(result.symmetric_norm * result.symmetric_norm + result.skew_norm * result.skew_norm);
  result.asymmetry = result.norm > 0 ? std::min(1.0, result.skew_norm / result.norm) : 0;
}

}  // namespace tied
