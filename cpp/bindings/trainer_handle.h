// A trainer's handle is its address, which JavaScript holds until it calls `deleteTrainer`.
#pragma once

#include <memory>
#include <utility>

#include "bindings/transfer.h"
#include "training/trainer.h"

namespace tied::bindings {

using FloatTrainer = Trainer<float>;

inline FloatTrainer& trainer_at(Address handle) { return *reinterpret_cast<FloatTrainer*>(handle); }

// The handle of a new trainer; 0 on failure.
inline Address handle_of(Result<std::unique_ptr<FloatTrainer>> trainer) {
  if (!trainer) {
    failed(trainer.error());
    return 0;
  }
  return reinterpret_cast<Address>(std::move(trainer).value().release());
}

// The data of a model that another program made; none without `training`.
inline Result<TrainingData<float>> data_of_model(Address training, std::uint64_t vocab_size, Address ids, Address n_ids,
                                                 Address validation_ids, Address n_validation_ids) {
  if (training != 0) {
    return training_data_from_tokens<float>(at<std::uint32_t>(ids), n_ids, at<std::uint32_t>(validation_ids),
                                            n_validation_ids, vocab_size);
  }
  TrainingData<float> none;
  none.vocab_size = vocab_size;
  return none;
}

}  // namespace tied::bindings
