// Sums and extremes over vectors and matrices, in a fixed order, accumulated in double.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// sum_i x_i
template <class T>
double sum(const T* x, std::size_t size);
// sum_i a_i b_i
template <class T>
double dot(const T* a, const T* b, std::size_t size);
// sum_i weights_i ((a_i - b_i) - shift)
template <class T>
double weighted_difference(const T* weights, const T* a, const T* b, double shift, std::size_t size);
// sum_i x_i^2
template <class T>
double squared_norm(const T* x, std::size_t size);
// max_i |x_i|; 0 for an empty vector; NaN where any x_i is.
template <class T>
double max_abs(const T* x, std::size_t size);
// Index of the largest element, the first if several are equal; size > 0.
template <class T>
std::size_t argmax(const T* x, std::size_t size);
// False if any element is NaN or infinite.
template <class T>
bool all_finite(const T* x, std::size_t size);
// Index of the first element that is NaN or infinite; `size` if there is none.
template <class T>
std::size_t first_not_finite(const T* x, std::size_t size);

// y += alpha x
template <class T>
void add_scaled(T* y, const T* x, std::size_t size, T alpha);
// x *= alpha
template <class T>
void scale(T* x, std::size_t size, T alpha);

// x_i *= factors_i
template <class T>
void multiply(T* x, const T* factors, std::size_t size);

// m_ij += row_j
template <class T>
void add_row_to_rows(MatrixView<T> m, const T* row);
// out_j += sum_i m_ij, row after row.
template <class T>
void add_column_sums(T* out, Deduced<ConstMatrixView<T>> m);

// ||m||_F^2, one row after the other.
template <class T>
double squared_norm(ConstMatrixView<T> m);

}  // namespace tied
