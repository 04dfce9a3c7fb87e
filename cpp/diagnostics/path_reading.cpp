#include "diagnostics/path_reading.h"

#include <algorithm>
#include <vector>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {

Result<PathReading> PathReading::create(const Readout& readout, const BigramText& text) {
  const Followers& followers = text.text();
  const std::size_t vocab_size = followers.vocab_size();
  if (readout.vocab_size() != vocab_size) {
    return make_error(ErrorCode::kShapeMismatch, "vocab_size", vocab_size, text_of(readout.vocab_size()));
  }
  PathReading made;
  if (Status status = make_zeros(made.logits_, readout.max_rows(), vocab_size); !status) return status;
  if (Status status = make_zeros(made.log_probabilities_, 1, vocab_size); !status) return status;
  if (Status status = allocate(made.own_, vocab_size); !status) return status;
  for (AlignedBuffer<float>* logits : {&made.forward_, &made.backward_}) {
    if (Status status = allocate(*logits, followers.pairs()); !status) return status;
  }
  if (Status status = allocate(made.before_, followers.pairs()); !status) return status;
  if (Status status = allocate(made.starts_, vocab_size + 1); !status) return status;
  AlignedBuffer<std::uint32_t> ends;
  if (Status status = allocate(ends, vocab_size); !status) return status;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    for (const std::uint32_t j : followers.of(i)) ++made.starts_[j + 1];
  }
  for (std::size_t j = 0; j < vocab_size; ++j) {
    ends[j] = made.starts_[j];
    made.starts_[j + 1] += made.starts_[j];
  }
  for (std::size_t i = 0; i < vocab_size; ++i) {
    for (const std::uint32_t j : followers.of(i)) made.before_[ends[j]++] = static_cast<std::uint32_t>(i);
  }
  return made;
}

Status PathReading::add(Readout& readout, const BigramText& text, ConstMatrixView<float> x, std::size_t first) {
  if (Status status = check_table("embedding", x); !status) return status;
  TIED_ASSERT(x.rows <= logits_.rows() && first + x.rows <= own_.size());
  const MatrixView<float> logits = logits_.view().row_block(0, x.rows);
  readout.logits(logits, x);
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::size_t token = first + r;
    const float* row = logits.row(r);
    if (const std::size_t wrong = first_not_finite(row, logits.cols); wrong < logits.cols) {
      return make_error(ErrorCode::kNotFinite, "logits", row[wrong], "a model with finite logits");
    }
    const float largest = *std::max_element(row, row + logits.cols);
    own_[token] = row[token];
    if (row[token] == largest) ++self_predicting_;
    for (std::size_t k = starts_[token]; k < starts_[token + 1]; ++k) backward_[k] = row[before_[k]];
    const std::span<const std::uint32_t> next = text.text().of(token);
    if (next.empty()) continue;
    log_softmax_rows<float>(log_probabilities_.view(), logits.row_block(r, 1));
    std::size_t k = text.text().first_of(token);
    for (const std::uint32_t j : next) {
      forward_[k++] = row[j];
      agreement_.add(static_cast<double>(log_probabilities_(0, j)), text.log_probability(token, j));
    }
  }
  return {};
}

PathSummary PathReading::summarize(const BigramText& text) const {
  const Followers& followers = text.text();
  PathSummary found;
  found.loss = -agreement_.mean();
  found.correlation = agreement_.value();
  found.self_prediction = static_cast<double>(self_predicting_) / static_cast<double>(own_.size());
  // The pairs of each j are listed by i, so the pairs met here fill them one after the other.
  std::vector<std::uint32_t> taken(starts_.begin(), starts_.end());
  std::size_t different = 0;
  std::size_t breaking = 0;
  for (std::size_t i = 0, k = 0; i < followers.vocab_size(); ++i) {
    for (const std::uint32_t j : followers.of(i)) {
      const double both = static_cast<double>(forward_[k++]) + static_cast<double>(backward_[taken[j]++]);
      if (j == i) continue;
      ++different;
      if (both > static_cast<double>(own_[i]) + static_cast<double>(own_[j])) ++breaking;
    }
  }
  found.breaking = static_cast<double>(breaking) / static_cast<double>(different);
  return found;
}

}  // namespace tied
