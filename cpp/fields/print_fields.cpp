#include "fields/print_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

#include "accounting/architecture.h"
#include "model/config.h"
#include "training/training_config.h"

namespace tied {
namespace {

// The shortest decimal that is read as the same double.
std::string decimal(double value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value);
  return {digits, end.ptr};
}

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string key_of(std::string_view path) {
  return path.find('.') == std::string_view::npos ? std::string(path) : quoted(path);
}

std::string list_of(const Field& field, unsigned bits) {
  std::string list;
  for (std::size_t i = 0; i < field.words.size(); ++i) {
    if ((bits >> i & 1) != 0) list += (list.empty() ? "" : ", ") + quoted(field.words[i]);
  }
  return "[" + list + "]";
}

// What the value of a field is called in TypeScript.
std::string value_of(const Field& field, double value) {
  if (!field.words.empty()) return quoted(field.words[static_cast<std::size_t>(value)]);
  if (field.kind == FieldKind::kFlag) return value != 0 ? "true" : "false";
  return decimal(value);
}

// The range of a value that is given. An integer without a limit has that of every integer in web/core. 0 is no rate:
// trainers that cannot train have it.
std::string kind_of(const Field& field) {
  if (!field.words.empty()) return "words: " + list_of(field, ~0u);
  if (field.kind == FieldKind::kFlag) return "flag: true";
  const bool whole = field.kind == FieldKind::kWhole;
  constexpr double kAboveZero = 1e-30;  // in single precision too
  double least = field.least > 0 ? std::max(field.least, kAboveZero) : field.least;
  const bool never_zero = field.presence == Presence::kOptional || (field.presence == Presence::kRequired && !whole);
  if (never_zero && least == 0) least = whole ? 1 : kAboveZero;
  std::string text = (whole ? "whole: [" : "real: [") + decimal(least);
  const bool below = !whole && field.most < std::ceil(field.most);
  if (std::isfinite(field.most)) text += ", " + decimal(below ? std::ceil(field.most) : field.most);
  return text + (below ? "], below: true" : "]");
}

std::string conditions_of(const Field& field, std::span<const Field> fields) {
  std::string text;
  for (const Condition& condition : field.conditions) {
    if (condition.values == 0) continue;
    const auto deciding = std::find_if(fields.begin(), fields.end(),
                                       [&](const Field& other) { return other.offset == condition.offset; });
    text += (text.empty() ? "" : ", ") + key_of(path_of(*deciding)) + ": " + list_of(*deciding, condition.values);
  }
  return text.empty() ? "" : ", of: { " + text + " }";
}

// Its name in the core's errors, if that is not the path as one word in camel case.
std::string name_in_core(const Field& field) {
  const std::string name = path_of(field.at(nullptr));
  std::string word;
  for (bool starts = false; const char c : path_of(field)) {
    if (c != '.') word += starts ? static_cast<char>(c - 'a' + 'A') : c;
    starts = c == '.';
  }
  return name == word ? "" : ", core: " + quoted(name);
}

template <class Config>
std::string table_of(const char* name, const Config& config) {
  std::string text = std::string("export const ") + name + " = {\n";
  for_each_field(config, [&](const Field& field, const auto& value) {
    text += "  " + key_of(path_of(field)) + ": { " + kind_of(field);
    const bool omitted = field.presence == Presence::kOmitted || field.presence == Presence::kOptional;
    if (omitted) text += ", omitted: " + value_of(field, static_cast<double>(value));
    text += conditions_of(field, fields_of(config)) + name_in_core(field) + " },\n";
  });
  return text + "} as const;\n";
}

// Those of options that stand by themselves; members of objects have theirs where the objects are checked.
template <class Config, class Filter>
std::string defaults_of(const char* name, const Config& config, Filter has, const std::string& more = "") {
  std::string text = std::string("export const ") + name + " = {\n";
  for_each_field(config, [&](const Field& field, const auto& value) {
    const std::string path = path_of(field);
    if (field.presence != Presence::kDefault || path.find('.') != std::string::npos || !has(field)) return;
    text += "  " + path + ": " + value_of(field, static_cast<double>(value)) + ",\n";
  });
  return text + more + "} as const;\n";
}

}  // namespace

std::string printed_fields() {
  const auto of_pairs = [](const Field& field) {
    return field.conditions[0].offset == offsetof(ModelConfig, kind) &&
           field.conditions[0].values == values_of(ModelKind::kEncoderDecoder);
  };
  std::string text =
      R"(/**
 * The tables of options of model/config.cpp, training/training_config.cpp and accounting/architecture.cpp, printed by
 * `npm run fields`. A value is one of its `words`, a flag, or in the range of its `whole` or `real`, ends included (but
 * not the last if `below`). `omitted`: the value that completed options omit. `of`: which models have the option; one
 * condition suffices. `core`: the name in the core's errors, if it is not the path as one word in camel case.
 */
)";
  text += "export const FIELDS_VERSION = " + text_of(fields_version()) + ";\n\n";
  text += table_of("MODEL_FIELDS", ModelConfig()) + "\n";
  text += defaults_of("MODEL_DEFAULTS", ModelConfig(), [&](const Field& field) { return !of_pairs(field); }) + "\n";
  // The table of the encoder is a part of the option `tying`.
  text += "/** Additional defaults of encoder-decoders. */\n" +
          defaults_of("ENCODER_DECODER_DEFAULTS", ModelConfig(),
                      [&](const Field& field) {
                        return of_pairs(field) && field.offset != offsetof(ModelConfig, encoder_table);
                      }) +
          "\n";
  text += table_of("TRAINING_FIELDS", TrainingConfig()) + "\n";
  text += defaults_of(
              "TRAINING_DEFAULTS", TrainingConfig(), [](const Field&) { return true; },
              "  inputGradientScale: " + decimal(TrainingConfig().input_gradient_scale.at(0)) + ",\n") +
          "\n";
  // All sizes of an architecture are explicit, so it has no defaults here.
  text += table_of("ARCHITECTURE_FIELDS", Architecture()) + "\n";
  text += "/** Options that are a number or points of a schedule, after the other options of training. */\n";
  text += "export const SCHEDULES = {\n";
  for (const ScheduleField& field : kSchedules) {
    Field named{field.name, FieldKind::kReal, 0};
    const std::string core = name_in_core(named.at(field.path));
    text += "  " + key_of(field.path) + ": {" + (core.empty() ? "" : core.substr(1) + " ") + "},\n";
  }
  text += "} as const;\n\n";
  text += "/** The momentum of Muon, if none is given: the default above is that of SGD. */\n";
  text += "export const MUON_MOMENTUM = " + decimal(kMuonMomentum) + ";\n";
  text += "export const MAX_SCHEDULE_POINTS = " + text_of(FactorSchedule::kMaxPoints) + ";\n";
  text += "export const MAX_CUTOFFS = " + text_of(kMaxCutoffs) + ";\n";
  text += "export const MAX_TYING_CHANGES = " + text_of(kMaxTyingChanges) + ";\n";
  return text;
}

}  // namespace tied
