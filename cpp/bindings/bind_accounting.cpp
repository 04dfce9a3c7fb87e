// Counts of parameters.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "accounting/parameters.h"
#include "bindings/architecture_numbers.h"

namespace tied::bindings {
namespace {

constexpr std::size_t kNumbers = 7 + kTensorGroups;
constexpr std::size_t kNumbersOfTensor = 7;

// Counts: stored, effective, active, untied, tied (0 if absent), whether tied is present, tables, each group; then per
// tensor rows, cols, whether it is a vector, group, 1 + index of the tensor whose storage it shares or 0, copies and
// count. Then names, each followed by a zero byte.
bool parameters(Address architecture, Address tying) {
  const Architecture given = architecture_at(architecture);
  if (!done(validate(given, table_tying(tying)))) return false;
  const auto counted = count_parameters(given, table_tying(tying));
  if (!counted) return failed(counted.error());
  const ParameterCount& all = counted.value();
  // Passed as bits: lists of doubles are already in the module, and another type would add code.
  std::vector<double> numbers(kNumbers + all.tensors.size() * kNumbersOfTensor);
  double* to = numbers.data();
  const auto add = [&to](Whole count) { *to++ = std::bit_cast<double>(count.value()); };
  add(all.stored);
  add(all.effective);
  add(all.active);
  add(all.untied);
  add(all.tied.value_or(0));
  add(std::uint64_t{all.tied.has_value()});
  add(std::uint64_t{all.tables});
  for (const Whole group : all.groups) add(group);
  std::string names;
  for (const CountedTensor& tensor : all.tensors) {
    add(tensor.rows);
    add(tensor.cols);
    add(std::uint64_t{tensor.is_vector});
    add(static_cast<std::uint64_t>(tensor.group));
    add(std::uint64_t{tensor.tied_to + 1});
    add(tensor.copies);
    add(tensor.count());
    names += tensor.name();
    names += '\0';
  }
  answer.numbers(std::move(numbers));
  answer.text(std::move(names));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_accounting) { emscripten::function("countParameters", &parameters); }

}  // namespace tied::bindings
