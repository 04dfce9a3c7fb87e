// Counts of parameters.
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "accounting/parameters.h"
#include "bindings/architecture_numbers.h"

namespace tied::bindings {
namespace {

// Counts: stored, effective, active, untied, tied (0 where there is none), each group; rows, cols, copies and count of
// each tensor. Then [tables, whether there is a tied], and [isVector, group, tiedTo or -1] of each tensor. Then names,
// a zero byte after each.
bool parameters(Address architecture, Address tying) {
  const auto counted = count_parameters(architecture_at(architecture), table_tying(tying));
  if (!counted) return failed(counted.error());
  const ParameterCount& all = counted.value();
  std::vector<std::uint32_t> counts;
  for (const Whole& count : {all.stored, all.effective, all.active, all.untied, all.tied.value_or(0)}) {
    append_words(counts, count);
  }
  for (const Whole& count : all.groups) append_words(counts, count);
  std::vector<double> numbers = {static_cast<double>(all.tables), all.tied ? 1.0 : 0.0};
  std::string names;
  for (const CountedTensor& tensor : all.tensors) {
    append_words(counts, tensor.copies);
    append_words(counts, tensor.count());
    for (const double number :
         {static_cast<double>(tensor.rows), static_cast<double>(tensor.cols), tensor.is_vector ? 1.0 : 0.0,
          static_cast<double>(tensor.group), tensor.owns_storage() ? -1.0 : static_cast<double>(tensor.tied_to)}) {
      numbers.push_back(number);
    }
    names += tensor.name;
    names += '\0';
  }
  answer.ids(std::move(counts));
  answer.numbers(std::move(numbers));
  answer.text(std::move(names));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_accounting) { emscripten::function("countParameters", &parameters); }

}  // namespace tied::bindings
