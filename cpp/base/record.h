// What JavaScript gets of a struct, or gives (decisions 87 and 103): a list of members, and of accessors to get. Values
// cross one after another, through bindings/transfer.h or given.h; `npm run fields` prints names and kinds, which no
// module contains.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tied {

// Written in a struct as `using Answered = Record<&Struct::member, &Struct::accessor>;`, or as `Given`.
template <auto... kMembers>
struct Record {};

// A number is a double; an optional one is NaN where it is absent. A list begins with its size; an
// optional record is a list of at most one. Texts, ids and floats are apart from the numbers.
enum class AnswerKind : std::uint8_t { kNumber, kFlag, kWord, kOptional, kRecord, kText, kFloats, kIds, kList };

template <class T>
concept Answerable = requires { typename T::Answered; };

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// A matrix, a view of one, or floats in a row.
template <class T>
concept FloatView = requires(const T& view) {
  { *view.data } -> std::same_as<const float&>;
};
template <class T>
concept AnswerFloats = std::same_as<T, std::span<const float>> || FloatView<T> ||
                       requires(const T& matrix) { requires FloatView<decltype(matrix.view())>; };

template <class T>
concept AnswerIds = std::same_as<T, std::vector<std::uint32_t>> || std::same_as<T, std::span<const std::uint32_t>>;

// A count that may exceed 32 bits.
template <class T>
concept AnswerCount = requires(const T& count) {
  { count.as_double() } -> std::same_as<double>;
};

template <class T>
consteval AnswerKind answer_kind() {
  if (Answerable<T>) return AnswerKind::kRecord;
  if (std::is_same_v<T, bool>) return AnswerKind::kFlag;
  if (std::is_enum_v<T>) return AnswerKind::kWord;
  if (std::is_arithmetic_v<T> || AnswerCount<T>) return AnswerKind::kNumber;
  if (kIsOptional<T>) return AnswerKind::kOptional;
  if (std::is_convertible_v<const T&, std::string_view>) return AnswerKind::kText;
  if (AnswerFloats<T>) return AnswerKind::kFloats;
  return AnswerIds<T> ? AnswerKind::kIds : AnswerKind::kList;
}

// The member, or what the accessor returns.
template <auto kMember, class T>
constexpr decltype(auto) member_of(T&& of) {
  if constexpr (std::is_member_function_pointer_v<decltype(kMember)>) {
    return (of.*kMember)();
  } else {
    return (static_cast<T&&>(of).*kMember);
  }
}

}  // namespace tied
