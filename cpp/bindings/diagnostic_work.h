// Diagnostics that take long: `start...` copies the tables and returns a handle, `advanceDiagnostic` does some of the
// work, `finishDiagnostic` puts the results into the answer. Each module has its own.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/transfer.h"

namespace tied::bindings {

class Diagnostic {
 public:
  virtual ~Diagnostic() = default;
  virtual Status advance(std::size_t blocks) = 0;
  virtual double share() const = 0;
  virtual void answer_results() const = 0;
};

// A diagnostic, which lists what it answers, and copies of the tables that it reads.
template <class Work>
class Running final : public Diagnostic {
 public:
  // The work is constructed in place, since moving it takes a lot of code.
  template <class Create>
  Running(std::vector<Matrix<float>>&& tables, Create create) : tables_(std::move(tables)), work_(create(tables_)) {}

  // The result of `create`; nothing else may be called if it is an error.
  const Result<Work>& work() const { return work_; }

  Status advance(std::size_t blocks) override {
    Work& work = work_.value();
    if constexpr (std::is_void_v<decltype(work.advance(blocks))>) {
      work.advance(blocks);
      return {};
    } else {
      return work.advance(blocks);
    }
  }
  double share() const override { return work_.value().share(); }
  void answer_results() const override { answer.write(work_.value()); }

 private:
  std::vector<Matrix<float>> tables_;
  Result<Work> work_;
};

// Copies of tables; a table without data stays empty.
inline Result<std::vector<Matrix<float>>> copies_of(std::initializer_list<ConstMatrixView<float>> tables) {
  std::vector<Matrix<float>> copies;
  for (const ConstMatrixView<float>& table : tables) {
    auto made = table.data == nullptr ? Matrix<float>() : Matrix<float>::create(table.rows, table.cols);
    if (!made) return made.failure();
    if (table.data != nullptr) std::copy_n(table.data, table.rows * table.cols, made.value().data());
    copies.push_back(std::move(made).value());
  }
  return copies;
}

using Tables = const std::vector<Matrix<float>>&;

// The handle of a new diagnostic, 0 on failure. `create` takes the copies.
template <class Create,
          class Work = std::remove_cvref_t<decltype(std::declval<Create>()(std::declval<Tables>()).value())>>
Address start(std::initializer_list<ConstMatrixView<float>> tables, Create create) {
  auto copies = copies_of(tables);
  if (!copies) {
    failed(copies.error());
    return 0;
  }
  auto made = std::make_unique<Running<Work>>(std::move(copies).value(), create);
  if (!made->work()) {
    failed(made->work().error());
    return 0;
  }
  return reinterpret_cast<Address>(static_cast<Diagnostic*>(made.release()));
}

inline Diagnostic& diagnostic_at(Address handle) { return *const_cast<Diagnostic*>(at<Diagnostic>(handle)); }

// -> the fraction of the work that has been done
inline bool advance_diagnostic(Address handle, Address blocks) {
  Diagnostic& diagnostic = diagnostic_at(handle);
  if (!done(diagnostic.advance(blocks))) return false;
  answer.write(diagnostic.share());
  return true;
}

inline bool finish_diagnostic(Address handle) {
  diagnostic_at(handle).answer_results();
  return true;
}

inline void delete_diagnostic(Address handle) { delete &diagnostic_at(handle); }

inline void bind_diagnostic_work() {
  using emscripten::function;
  function("advanceDiagnostic", &advance_diagnostic);
  function("finishDiagnostic", &finish_diagnostic);
  function("deleteDiagnostic", &delete_diagnostic);
}

}  // namespace tied::bindings
