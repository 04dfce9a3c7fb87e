// Tables of checkpoints: their elements as floats, and sums over the rows of two tables that are read in step.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "base/aligned_buffer.h"
#include "bindings/transfer.h"
#include "checkpoint/decode.h"
#include "diagnostics/moment_readings.h"
#include "diagnostics/sampled_scores.h"
#include "diagnostics/table_moments.h"

namespace tied::bindings {
namespace {

// The buffer is reused, so memory is not cleared in each call; callers decode a few megabytes at a time.
Status make_room(AlignedBuffer<float>& buffer, std::size_t size) {
  if (buffer.size() >= size) return {};
  auto larger = AlignedBuffer<float>::create(size, Initially::kUnset);
  if (!larger) return larger.failure();
  buffer = std::move(larger).value();
  return {};
}

Status decode_into(AlignedBuffer<float>& buffer, std::size_t elements, Address type, Address bytes,
                   Address size_bytes) {
  if (Status status = make_room(buffer, elements); !status) return status;
  return decode_elements({buffer.data(), elements}, static_cast<ElementType>(type),
                         {at<std::uint8_t>(bytes), size_bytes});
}

AlignedBuffer<float> decoded;

// `type`: index of ElementType. -> floats [elements]
bool decode(Address type, Address bytes, Address size_bytes, Address elements) {
  if (!done(decode_into(decoded, elements, type, bytes, size_bytes))) return false;
  answer.matrix(ConstMatrixView<float>(decoded.data(), 1, elements));
  return true;
}

struct Moments {
  TableMoments sums;
  TableGrams grams;
  AlignedBuffer<float> input;
  AlignedBuffer<float> output;
  std::optional<SampledRows> sample;
  std::optional<RunningLogSums> text;
};

Moments& moments_at(Address handle) { return *const_cast<Moments*>(at<Moments>(handle)); }

// `is_narrow`: 16 bits per entry instead of 24. `norm` 0 = none; the rest is a PanelShare.
Address start_moments(Address width, bool is_tied, bool is_narrow, Address norm, Address first, Address end,
                      Address of) {
  const FixedBits bits = is_narrow ? FixedBits::k16 : FixedBits::k24;
  auto sums = TableMoments::create(width, is_tied, bits, at<float>(norm), {first, end, of});
  if (!sums) {
    failed(sums.error());
    return 0;
  }
  auto made = std::make_unique<Moments>(Moments{std::move(sums).value(), {}, {}, {}, {}, {}});
  return reinterpret_cast<Address>(made.release());
}

void delete_moments(Address handle) { delete &moments_at(handle); }

// input, output [rows, d]: the tokens whose products with all rows are in the answers from now on; `output` is not read
// for tied tables.
bool sample_moments(Address handle, Address rows, Address input, Address output) {
  Moments& moments = moments_at(handle);
  const std::size_t width = moments.sums.width();
  auto made =
      SampledRows::create({at<float>(input), rows, width}, {at<float>(output), rows, width}, moments.sums.tied());
  if (!made) return failed(made.error());
  moments.sample = std::move(made).value();
  return true;
}

// input [rows, d]: the tokens whose sums of exponentials are accumulated.
bool read_text(Address handle, Address rows, Address input) {
  Moments& moments = moments_at(handle);
  auto made = RunningLogSums::create({at<float>(input), rows, moments.sums.width()});
  if (!made) return failed(made.error());
  moments.text = std::move(made).value();
  return true;
}

// -> ln sum_j exp(e_i . u_j) of each token of the text
bool text_log_sums(Address handle) {
  const RunningLogSums& text = *moments_at(handle).text;
  std::vector<double> sums;
  for (std::size_t i = 0; i < text.size(); ++i) sums.push_back(text.log_sum(i));
  answer.write(sums);
  return true;
}

// Adds rows of both tables; `output` is not read for tied ones. -> [5, rows], see TableMoments::add; then, if tokens
// are sampled, their products, see SampledRows
bool add_moments(Address handle, Address rows, Address input_type, Address input, Address input_bytes,
                 Address output_type, Address output, Address output_bytes) {
  Moments& moments = moments_at(handle);
  const std::size_t width = moments.sums.width();
  const std::size_t elements = rows * width;
  if (!done(decode_into(moments.input, elements, input_type, input, input_bytes))) return false;
  const bool tied = moments.sums.tied();
  if (!tied && !done(decode_into(moments.output, elements, output_type, output, output_bytes))) return false;
  auto readings = Matrix<float>::create(5, rows);
  if (!readings) return failed(readings.error());
  const ConstMatrixView<float> e(moments.input.data(), rows, width);
  const ConstMatrixView<float> u = tied ? e : ConstMatrixView<float>(moments.output.data(), rows, width);
  moments.grams.forget();
  if (!done(moments.sums.add(e, u, readings.value().view()))) return false;
  if (moments.text && !done(moments.text->add(u))) return false;
  answer.matrix(std::move(readings).value());
  if (!moments.sample) return true;
  auto products = Matrix<float>::create(moments.sample->kinds() * moments.sample->tokens(), rows);
  if (!products) return failed(products.error());
  moments.sample->multiply(products.value().view(), e, u);
  answer.matrix(std::move(products).value());
  return true;
}

// `which`: index of MomentProduct. -> this share's part of it [d, d]
bool moments_product(Address handle, Address which) {
  TableMoments& sums = moments_at(handle).sums;
  sums.flush();
  const ConstMatrixView<double> product = sums.product(static_cast<MomentProduct>(which));
  answer.numbers(std::vector<double>(product.data, product.data + product.rows * product.cols));
  return true;
}

// `product` [d, d]: the part that another share has computed.
bool join_moments(Address handle, Address which, Address product) {
  moments_at(handle).grams.forget();
  moments_at(handle).sums.join(static_cast<MomentProduct>(which), at<double>(product));
  return true;
}

// Of all rows that have been added.
const TableMoments& sums_at(Address handle) {
  TableMoments& sums = moments_at(handle).sums;
  sums.flush();
  return sums;
}

bool moments_asymmetry(Address handle, bool folded) { return answered(path_asymmetry(sums_at(handle), folded)); }

// `role`: index of TableRole.
bool moments_table(Address handle, Address role) {
  return answered(read_table(sums_at(handle), moments_at(handle).grams, static_cast<TableRole>(role)));
}

bool moments_alignment(Address handle, Address null_runs, double seed) {
  return answered(
      read_alignment(sums_at(handle), moments_at(handle).grams, null_runs, static_cast<std::uint64_t>(seed)));
}

bool moments_drift(Address handle) { return answered(read_drift(sums_at(handle))); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_checkpoint) {
  using emscripten::function;
  function("decodeElements", &decode);
  function("startMoments", &start_moments);
  function("sampleMoments", &sample_moments);
  function("readText", &read_text);
  function("textLogSums", &text_log_sums);
  function("addMoments", &add_moments);
  function("momentsProduct", &moments_product);
  function("joinMoments", &join_moments);
  function("momentsAsymmetry", &moments_asymmetry);
  function("momentsTable", &moments_table);
  function("momentsAlignment", &moments_alignment);
  function("momentsDrift", &moments_drift);
  function("deleteMoments", &delete_moments);
}

}  // namespace tied::bindings
