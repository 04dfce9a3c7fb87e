// Row-major matrix views, which do not own their elements and can be part of a larger matrix, and a matrix that owns.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/aligned_buffer.h"
#include "base/error.h"

namespace tied {

// rows x cols elements; element (i, j) at data[i * stride + j]; stride >= cols.
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  MatrixView() = default;
  MatrixView(T* data_, std::size_t rows_, std::size_t cols_) : MatrixView(data_, rows_, cols_, cols_) {}
  MatrixView(T* data_, std::size_t rows_, std::size_t cols_, std::size_t stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {
    TIED_ASSERT(stride >= cols);
  }

  // A view of const elements.
  operator MatrixView<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, rows, cols, stride};
  }

  T& operator()(std::size_t i, std::size_t j) const {
    TIED_ASSERT(i < rows && j < cols);
    return data[i * stride + j];
  }
  T* row(std::size_t i) const {
    TIED_ASSERT(i < rows);
    return data + i * stride;
  }
  MatrixView row_block(std::size_t first, std::size_t count) const {
    TIED_ASSERT(first + count <= rows);
    return {data + first * stride, count, cols, stride};
  }
};

template <class T>
using ConstMatrixView = MatrixView<const T>;

// Keeps `T` out of template deduction, so that a MatrixView<T> argument converts to ConstMatrixView<T> implicitly.
template <class T>
using Deduced = std::type_identity_t<T>;

// A matrix that owns its elements: rows x cols, contiguous, zeroed at creation.
template <class T>
class Matrix {
 public:
  Matrix() = default;

  // Errors: kOutOfMemory.
  static Result<Matrix> create(std::size_t rows, std::size_t cols) {
    if (cols != 0 && rows > static_cast<std::size_t>(-1) / cols) {
      return make_error(ErrorCode::kOutOfMemory, "rows", rows, "a matrix that fits in memory");
    }
    auto buffer = AlignedBuffer<T>::create(rows * cols);
    if (!buffer) return buffer.failure();
    return Matrix(std::move(buffer).value(), rows, cols);
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  T* data() { return buffer_.data(); }
  const T* data() const { return buffer_.data(); }
  MatrixView<T> view() { return {buffer_.data(), rows_, cols_}; }
  ConstMatrixView<T> view() const { return {buffer_.data(), rows_, cols_}; }
  T& operator()(std::size_t i, std::size_t j) { return view()(i, j); }
  const T& operator()(std::size_t i, std::size_t j) const { return view()(i, j); }

 private:
  Matrix(AlignedBuffer<T> buffer, std::size_t rows, std::size_t cols)
      : buffer_(std::move(buffer)), rows_(rows), cols_(cols) {}

  AlignedBuffer<T> buffer_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
};

}  // namespace tied
