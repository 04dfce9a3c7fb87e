#include "accounting/parameters.h"

namespace tied {
namespace {

Status too_large(std::string what) {
  return make_error(ErrorCode::kInvalidArgument, "architecture", what += " of more than 2^64 - 2 parameters",
                    "sizes with at most 2^64 - 2 parameters in total");
}

}  // namespace

Result<ParameterCount> count_parameters(const Architecture& architecture, TableTying tying) {
  ParameterCount counted;
  counted.tensors = counted_tensors(architecture, tying);
  for (const CountedTensor& tensor : counted.tensors) {
    const Whole count = tensor.count();
    if (!count.fits()) return too_large(tensor.name());
    counted.effective += count;
    if (!tensor.owns_storage()) continue;
    counted.stored += count;
    counted.active += tensor.active_copies * tensor.size();
    counted.groups[static_cast<std::size_t>(tensor.group)] += count;
    counted.tables += tensor.group == TensorGroup::kTables && !tensor.is_additional && !tensor.is_factor;
  }
  // No other sum is larger.
  if (!counted.effective.fits()) return too_large("one");

  counted.untied = stored_parameters(counted_tensors(architecture, TableTying::kUntied));
  if (architecture.vocab_size == architecture.output_vocab_size) {
    counted.tied = stored_parameters(counted_tensors(architecture, TableTying::kTied));
  }
  return counted;
}

}  // namespace tied
