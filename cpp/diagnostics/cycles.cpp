#include "diagnostics/cycles.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "linalg/checks.h"

namespace tied {
namespace {

// A float represents every integer up to here.
constexpr float kMostPairs = 16'777'216;
constexpr std::uint32_t kBits = 32;

// log2(a / b); NaN if one of them is 0.
double ratio_of(std::uint32_t a, std::uint32_t b) {
  if (a == 0 || b == 0) return std::numeric_limits<double>::quiet_NaN();
  return (natural_log(a) - natural_log(b)) / std::numbers::ln2;
}

// How many of `coins` show heads.
std::uint32_t toss(Random& random, std::uint32_t coins) {
  std::uint32_t heads = 0;
  for (; coins >= kBits; coins -= kBits) heads += static_cast<std::uint32_t>(std::popcount(random.bits()));
  if (coins > 0) heads += static_cast<std::uint32_t>(std::popcount(random.bits() >> (kBits - coins)));
  return heads;
}

Status check_counts(ConstMatrixView<float> counts) {
  if (Status status = check_square("counts", counts.rows, counts.cols, 1); !status) return status;
  if (Status status = check_finite("counts", counts); !status) return status;
  bool any = false;
  for (std::size_t i = 0; i < counts.rows; ++i) {
    for (std::size_t j = 0; j < counts.cols; ++j) {
      const float count = counts(i, j);
      if (!(count >= 0 && count <= kMostPairs) || count != std::floor(count)) {
        return entry_error(ErrorCode::kInvalidArgument, "counts", i, j, static_cast<double>(count),
                           "an integer from 0 to 2^24");
      }
      any = any || count > 0;
    }
  }
  if (!any) return make_error(ErrorCode::kInvalidArgument, "counts", 0, "at least one pair");
  return {};
}

}  // namespace

KolmogorovCycles::KolmogorovCycles(const CycleOptions& options)
    : options_(options), random_(options.seed, stream_of("diagnostics:cycles")) {}

Result<KolmogorovCycles> KolmogorovCycles::create(ConstMatrixView<float> counts, const CycleOptions& options) {
  if (Status status = check_counts(counts); !status) return status;
  KolmogorovCycles made(options);
  if (Status status = made.index(counts); !status) return status;
  made.affinities_.reserve(options.null_runs + 1);
  made.strongest_.reserve(options.listed);
  made.begin_run();
  return made;
}

Status KolmogorovCycles::index(ConstMatrixView<float> counts) {
  const std::size_t size = counts.rows;
  if (Status status = allocate(totals_, size); !status) return status;
  if (Status status = allocate(begins_, size + 1); !status) return status;
  if (Status status = allocate(places_, size); !status) return status;
  const auto occurs = [&](std::size_t i, std::size_t j) { return counts(i, j) > 0 || counts(j, i) > 0; };
  for (std::size_t i = 0; i < size; ++i) {
    begins_[i + 1] = begins_[i];
    for (std::size_t j = 0; j < size; ++j) {
      totals_[i] += static_cast<double>(counts(i, j));
      if (j > i && occurs(i, j)) ++begins_[i + 1];
    }
  }
  for (auto* buffer : {&columns_, &forward_, &backward_}) {
    if (Status status = allocate(*buffer, begins_[size]); !status) return status;
  }
  if (Status status = allocate(ratios_, begins_[size]); !status) return status;
  std::size_t place = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size; ++j) {
      if (!occurs(i, j)) continue;
      columns_[place] = static_cast<std::uint32_t>(j);
      forward_[place] = static_cast<std::uint32_t>(counts(i, j));
      backward_[place++] = static_cast<std::uint32_t>(counts(j, i));
    }
  }
  return {};
}

void KolmogorovCycles::begin_run() {
  for (std::size_t place = 0; place < ratios_.size(); ++place) {
    const std::uint32_t both = forward_[place] + backward_[place];
    const std::uint32_t forward = run_ == 0 ? forward_[place] : toss(random_, both);
    ratios_[place] = ratio_of(forward, both - forward);
  }
  sum_ = 0;
  cycles_ = 0;
  token_ = 0;
}

void KolmogorovCycles::advance(std::size_t tokens) {
  for (; tokens > 0 && !finished(); --tokens) {
    add_cycles_of(static_cast<std::uint32_t>(token_));
    if (++token_ < places_.size()) continue;
    affinities_.push_back(sum_ / static_cast<double>(cycles_));
    if (run_ == 0) compared_ = cycles_;
    ++run_;
    if (!finished()) begin_run();
  }
}

double KolmogorovCycles::share() const {
  if (finished()) return 1;
  const double of_run = static_cast<double>(token_) / static_cast<double>(places_.size());
  return (static_cast<double>(run_) + of_run) / static_cast<double>(options_.null_runs + 1);
}

void KolmogorovCycles::add_cycles_of(std::uint32_t token) {
  const std::size_t end = begins_[token + 1];
  for (std::size_t place = begins_[token]; place < end; ++place) {
    places_[columns_[place]] = static_cast<std::uint32_t>(place + 1);
  }
  for (std::size_t first = begins_[token]; first < end; ++first) {
    const std::uint32_t next = columns_[first];
    for (std::size_t second = begins_[next]; second < begins_[next + 1]; ++second) {
      const std::uint32_t last = columns_[second];
      if (places_[last] == 0) continue;
      const Pairs pairs = {first, second, places_[last] - 1};
      add(pairs);
      if (run_ == 0) list(pairs, {token, next, last});
    }
  }
  for (std::size_t place = begins_[token]; place < end; ++place) places_[columns_[place]] = 0;
}

void KolmogorovCycles::add(const Pairs& pairs) {
  const double affinity = std::fabs(ratios_[pairs.first] + ratios_[pairs.second] - ratios_[pairs.third]);
  if (!(affinity >= 0)) return;
  sum_ += affinity;
  ++cycles_;
}

void KolmogorovCycles::list(const Pairs& pairs, std::array<std::uint32_t, 3> tokens) {
  // From each token to the next one around the cycle, and back.
  std::array<double, 3> there = {static_cast<double>(forward_[pairs.first]),
                                 static_cast<double>(forward_[pairs.second]),
                                 static_cast<double>(backward_[pairs.third])};
  std::array<double, 3> back = {static_cast<double>(backward_[pairs.first]),
                                static_cast<double>(backward_[pairs.second]),
                                static_cast<double>(forward_[pairs.third])};
  const auto all = [](const std::array<double, 3>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return number > 0; });
  };
  if (all(there) != all(back)) ++one_way_;
  std::array<double, 3> flows;
  for (std::size_t i = 0; i < 3; ++i) flows[i] = there[i] - back[i];
  if (flows[0] < 0) {
    for (double& flow : flows) flow = -flow;
    std::swap(there, back);
    // The same pairs in the other direction: a -> c -> b -> a.
    std::swap(tokens[1], tokens[2]);
  }
  if (!all(flows)) return;
  const double flow = *std::min_element(flows.begin(), flows.end());
  if (strongest_.size() == options_.listed && (strongest_.empty() || flow <= strongest_.back().flow)) return;
  // Each token's row is left once in each direction.
  const double rows = totals_[tokens[0]] * totals_[tokens[1]] * totals_[tokens[2]];
  const Cycle cycle = {tokens, there[0] * there[1] * there[2] / rows, back[0] * back[1] * back[2] / rows, flow};
  if (strongest_.size() == options_.listed) {
    strongest_.back() = cycle;
  } else {
    strongest_.push_back(cycle);
  }
  for (std::size_t i = strongest_.size() - 1; i > 0 && strongest_[i - 1].flow < flow; --i) {
    std::swap(strongest_[i - 1], strongest_[i]);
  }
}

}  // namespace tied
