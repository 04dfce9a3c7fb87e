// Similarity of two embedding tables, without fitting a map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

struct SpaceSimilarity {
  // Linear centered kernel alignment of X [V, d1] and Y [V, d2], both centered (Kornblith et al., 2019):
  //   ||X^T Y||_F^2 / (||X^T X||_F ||Y^T Y||_F)
  double cka = 0;
  // Its expectation with the rows of one table in a random order: ||X||^2 ||Y||^2 / ((V - 1) ||X^T X||_F ||Y^T Y||_F).
  double cka_by_chance = 0;
  // ||P^T Q||_F^2 / k, with P and Q the first k left singular vectors of X and Y: the mean squared cosine of the
  // principal angles. By chance k / (V - 1).
  double subspace_overlap = 0;
  double subspace_by_chance = 0;
  std::size_t dimensions = 0;  // k
  std::size_t left_out = 0;    // rows that are zero in either table

  using Answered =
      Record<&SpaceSimilarity::cka, &SpaceSimilarity::cka_by_chance, &SpaceSimilarity::subspace_overlap,
             &SpaceSimilarity::subspace_by_chance, &SpaceSimilarity::dimensions, &SpaceSimilarity::left_out>;
};

// A block of rows at a time. Time V (d1^2 + d2^2) / 2 + V d1 d2 multiply-adds in double and decompositions of [d, d].
class Similarity {
 public:
  // `dimensions`: k of the subspaces; with `or_fewer`, the smaller rank if that is less. The tables must outlive the
  // object. Errors: kShapeMismatch unless the tables have equally many rows; kNotFinite; kInvalidArgument for k = 0,
  // for k above the smaller width or the number of rows without `or_fewer`, and if a table, or a centered one, is zero;
  // kOutOfMemory.
  static Result<Similarity> create(ConstMatrixView<float> a, ConstMatrixView<float> b, std::size_t dimensions,
                                   bool or_fewer = false);

  // Works through `blocks` more blocks of rows. Errors: kInvalidArgument if a table has fewer than k dimensions,
  // without `or_fewer`; kNotFinite; kOutOfMemory.
  Status advance(std::size_t blocks);
  double share() const;
  bool finished() const { return finished_; }
  const SpaceSimilarity& similarity() const { return similarity_; }

  using Answered = Record<&Similarity::similarity>;

 private:
  struct Side {
    ConstMatrixView<float> table;
    AlignedBuffer<double> means;
    Matrix<double> block;
    Matrix<double> gram;
  };
  static Status prepare(Side& side, ConstMatrixView<float> table, std::span<const std::uint32_t> rows);
  Status finish();

  Side a_;
  Side b_;
  AlignedBuffer<std::uint32_t> rows_;
  Matrix<double> cross_;
  bool or_fewer_ = false;
  std::size_t row_ = 0;
  bool finished_ = false;
  SpaceSimilarity similarity_;
};

}  // namespace tied
