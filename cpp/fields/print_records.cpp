#include "fields/print_records.h"

#include <array>
#include <string_view>

#include "accounting/advice.h"
#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/compute.h"
#include "accounting/parameters.h"
#include "base/error.h"
#include "base/record.h"
#include "checkpoint/element_type.h"
#include "diagnostics/alignment.h"
#include "diagnostics/bigram_text.h"
#include "diagnostics/cycles.h"
#include "diagnostics/hidden_states.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/lens.h"
#include "diagnostics/moment_readings.h"
#include "diagnostics/neighbors.h"
#include "diagnostics/norm_frequency.h"
#include "diagnostics/output_ledger.h"
#include "diagnostics/path_reading.h"
#include "diagnostics/similarity.h"
#include "diagnostics/spectral_distance.h"
#include "diagnostics/spectrum.h"
#include "diagnostics/table_moments.h"
#include "direct_path/bigram_bounds.h"
#include "direct_path/fits.h"
#include "direct_path/irreversibility.h"
#include "direct_path/recovered_table.h"
#include "direct_path/symmetry.h"
#include "direct_path/tied_floor.h"
#include "model/config.h"
#include "model/pair_outputs.h"
#include "model/parameter_table.h"
#include "model/translation.h"
#include "text/bigrams.h"
#include "text/pair_tasks.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"
#include "training/evaluation.h"
#include "training/gradient_ledger.h"
#include "training/memory_estimate.h"
#include "training/pair_evaluation.h"
#include "training/step_record.h"
#include "training/training_config.h"

namespace tied {
namespace {

// The compiler's text of a function with this argument: "... [kArgument = &tied::Spectrum::left_out]".
template <auto kArgument>
constexpr const char* text_with() {
  return __PRETTY_FUNCTION__;
}
template <class Argument>
constexpr const char* text_with_type() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The last name in such a text: "left_out". Empty for a number cast to an enumeration, as GCC and Clang write values
// without a name: "(tied::Favours)3".
constexpr std::string_view last_name(std::string_view text) {
  const auto end = text.find_last_of(']');
  auto from = end;
  while (is_of_name(text[from - 1])) --from;
  return text[from - 1] == ')' ? std::string_view() : text.substr(from, end - from);
}

// "GradientLedger" of "... [Argument = tied::GradientLedger<float>]".
constexpr std::string_view type_name(std::string_view text) {
  auto end = text.find_last_of(']');
  if (text[end - 1] == '>') end = text.rfind('<', end);
  auto from = end;
  while (is_of_name(text[from - 1])) --from;
  return text.substr(from, end - from);
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_upper(char c) { return c != lower(c); }

// left_out: leftOut
std::string camel_case(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_') continue;
    text += i > 0 && name[i - 1] == '_' ? upper(name[i]) : name[i];
  }
  return text;
}

// IsotropyMeasures: ISOTROPY_MEASURES; kFeedForward: feed-forward
std::string apart(std::string_view name, char separator, char (*letter)(char)) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (i > 0 && is_upper(name[i])) text += separator;
    text += letter(name[i]);
  }
  return text;
}

template <class Type>
std::string constant_of() {
  return apart(type_name(text_with_type<Type>()), '_', upper);
}

template <class Enum, std::size_t kValue = 0>
std::string words_of() {
  constexpr std::string_view kName = last_name(text_with<static_cast<Enum>(kValue)>());
  if constexpr (kName.empty()) {
    return "";
  } else {
    return (kValue == 0 ? "'" : ", '") + apart(kName.substr(1), '-', lower) + "'" + words_of<Enum, kValue + 1>();
  }
}

template <class T>
concept Recorded = Answerable<T> || requires { typename T::Given; };

template <class Value>
std::string kind_of() {
  constexpr AnswerKind kKind = Recorded<Value> ? AnswerKind::kRecord : answer_kind<Value>();
  if constexpr (kKind == AnswerKind::kNumber) {
    return "'number'";
  } else if constexpr (kKind == AnswerKind::kFlag) {
    return "'flag'";
  } else if constexpr (kKind == AnswerKind::kWord || kKind == AnswerKind::kRecord) {
    return constant_of<Value>();
  } else if constexpr (kKind == AnswerKind::kOptional) {
    using Held = typename Value::value_type;
    if constexpr (Answerable<Held>)
      return "[" + kind_of<Held>() + "]";
    else
      return answer_kind<Held>() == AnswerKind::kFlag ? "'flag?'" : "'number?'";
  } else if constexpr (kKind == AnswerKind::kText) {
    return "'text'";
  } else if constexpr (kKind == AnswerKind::kFloats) {
    return "'floats'";
  } else if constexpr (kKind == AnswerKind::kIds) {
    return "'ids'";
  } else {
    using Element = std::remove_cvref_t<decltype(*std::declval<const Value&>().begin())>;
    if constexpr (Recorded<Element>)
      return "[" + kind_of<Element>() + "]";
    else
      return "'numbers'";
  }
}

template <class Type, auto... kMembers>
std::string members_of(Record<kMembers...>) {
  std::string text;
  ((text += (text.empty() ? " " : ", ") + camel_case(last_name(text_with<kMembers>())) + ": " +
            kind_of<std::remove_cvref_t<decltype(member_of<kMembers>(std::declval<const Type&>()))>>()),
   ...);
  return text;
}

template <class Type>
typename Type::Given record_of();
template <Answerable Type>
typename Type::Answered record_of();

// Initializes any member.
struct Anything {
  template <class Member>
  operator Member() const {
    return {};
  }
};

// The number of members of a struct.
template <class Type, class... Initial>
consteval std::size_t member_count() {
  if constexpr (requires { Type{Initial()..., Anything()}; }) {
    return member_count<Type, Initial..., Anything>();
  } else {
    return sizeof...(Initial);
  }
}

template <auto... kMembers>
consteval std::size_t size_of(Record<kMembers...>) {
  return sizeof...(kMembers);
}

// A member that JavaScript cannot give would keep its default without anyone noticing.
template <class... Types>
constexpr bool kGivesAll = ((member_count<Types>() == size_of(typename Types::Given())) && ...);
static_assert(kGivesAll<TyingChange, FactorSchedule::Point, Batch, Precedent, MeasuredLoss, AdviceContext>);
// Cutoffs are an array of their own.
static_assert(member_count<HeadOptions>() == size_of(HeadOptions::Given()) + 1);

template <class... Enums>
std::string printed_words() {
  return ((std::string("export const ") + constant_of<Enums>() + " = [" + words_of<Enums>() + "] as const;\n") + ...);
}

std::string printed_elements() {
  std::string list;
  for (std::size_t i = 0; i < kElementTypes; ++i) {
    const ElementBlock block = block_of(static_cast<ElementType>(i));
    list += (i == 0 ? " " : ", ") + std::string(kElementNames[i]) + ": { elements: " + text_of(block.elements) +
            ", bytes: " + text_of(block.bytes) + " }";
  }
  return "/** How files store elements: how many are in a block, and its bytes. */\nexport const ELEMENT_BLOCKS = {" +
         list + " } as const;\n";
}

template <class... Enums>
std::string names_of() {
  std::string names;
  ((names += (names.empty() ? "" : ", ") + constant_of<Enums>()), ...);
  return names;
}

template <class... Types>
std::string printed() {
  return ((std::string("export const ") + constant_of<Types>() + " = {" +
           members_of<Types>(decltype(record_of<Types>())()) + " } as const;\n") +
          ...);
}

}  // namespace

std::string printed_words() {
  return R"(/** The words of enumerations of the core, by their numbers there, printed by `npm run fields`. */
)" +
         printed_words<TensorGroup, ReasonKind, Favours, DecidedBy, TyingCondition, StartsFrom, TableTying, Precision,
                       AlignmentMethod, NeighborMetric, HiddenMeasure, TableRole, TokenizerKind, Alphabet, PairTask>() +
         printed_elements();
}

// Each after those that it contains.
std::string printed_records() {
  return R"(/**
 * What the core answers and is given, from the members that structs in cpp/ list, printed by `npm run fields`. Answer.read
 * makes values of these kinds, and a list of those in brackets; givenNumbers is the reverse. A number or flag with ? may be
 * absent.
 */
)" +
         ("import { " +
          names_of<TensorGroup, ReasonKind, Favours, DecidedBy, TyingCondition, StartsFrom, TableTying, Precision>()) +
         " } from './words.js';\n\n" +
         // Tables.
         printed<Dimensions, Spectrum, Agreement, Alignment, NeighborOverlap, Neighbor, SpaceSimilarity, Similarity,
                 IsotropyMeasures, Isotropy, HiddenStates, BandLimits, FrequencyBand, NormFrequency, OmnibusEigen,
                 SpectralDistance, Cycle, KolmogorovCycles, PathAsymmetry, TableReading, TableAlignment, TableDrift>() +
         // Trainers that are read.
         printed<LensTotals, LensReading, LensMaps, LedgerPart, LedgerBand, LedgerSummary, GradientRows, PathSummary,
                 PathRows, Correlation, BigramFacts, LossBand>() +
         // Texts and direct paths.
         printed<TextProgress, BigramCounting, BigramEntropies, BigramBounds, MarkovBounds, ReversibleChains, FitBounds,
                 SymmetryPair, Symmetry, TiedFloor, RecoveredTable>() +
         // Training.
         printed<TyingChange, FactorSchedule::Point, StepRecord, Evaluation, PairEvaluation, GradientLedger<float>,
                 Parameter, MemoryPart, Translated, PairWeights<float>>() +
         // Accounting.
         printed<CountedTensor, ParameterCount, HeadOptions, Batch, Macs, HeadCost, HeadCosts, Bytes, Serving,
                 ComputeCount, Precedent, MeasuredLoss, AdviceContext, Reason, Verdict, Advice>();
}

}  // namespace tied
