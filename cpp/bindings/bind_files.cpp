// Trainers' files, written part by part and loaded, and models in files of other programs. In core.wasm, everything in
// the namespace `files` is in a file of its own: see docs/decisions/0064-a-core-in-two-files.md. A file's handle is its
// address, which JavaScript holds until it calls `deleteFile`; it must not outlive its trainer.
#include <array>
#include <memory>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/option_numbers.h"
#include "bindings/trainer_handle.h"
#include "bindings/transfer.h"
#include "checkpoint/llama2c_file.h"
#include "checkpoint/safetensors_writer.h"
#include "training/trainer_file.h"

namespace tied::bindings {
namespace files {
namespace {

// Static, so a trainer can be saved however full the memory is.
std::array<std::uint8_t, std::size_t{1} << 18> part;

FileParts& file_at(Address handle) { return *reinterpret_cast<FileParts*>(handle); }

// In the order of web/core/checkpoint/writing/file-writing.ts.
enum Kind : Address { kTrainer, kSafetensors, kCopy };

std::unique_ptr<FileParts> file_of(const FloatTrainer& trainer, Address kind) {
  if (kind != kSafetensors) return std::make_unique<TrainerFile<float>>(trainer, kind == kCopy);
  return std::make_unique<SafetensorsFile>(trainer.model_config(), trainer.model().parameters());
}

// -> bytes of the file; its handle
Address start(Address trainer, Address kind) {
  std::unique_ptr<FileParts> file = file_of(trainer_at(trainer), kind);
  answer.write(file->size());
  return reinterpret_cast<Address>(file.release());
}

// The next bytes of the file.
bool next_part(Address handle) {
  const std::size_t size = file_at(handle).next(part);
  answer.bytes(std::span<const std::uint8_t>(part).first(size));
  return true;
}

void drop(Address handle) { delete &file_at(handle); }

Address load(Address file, Address size) { return handle_of(FloatTrainer::load({at<std::uint8_t>(file), size})); }

Address load_copy(Address file, Address size) {
  return handle_of(FloatTrainer::load_copy({at<std::uint8_t>(file), size}));
}

// Formats in the order of web/core/training/create-trainer.ts; there is one.
Result<Llama2cFile> open(Address file, Address size) { return open_llama2c({at<std::uint8_t>(file), size}); }

// 0 if the file is invalid.
double vocab_size(Address file, Address size, Address /*format*/) {
  const auto opened = open(file, size);
  if (!opened) {
    failed(opened.error());
    return 0;
  }
  return number(opened.value().config.vocab_size);
}

Result<std::unique_ptr<FloatTrainer>> trainer_of(const Llama2cFile& file, Address training,
                                                 Result<TrainingData<float>> data) {
  if (!data) return data.failure();
  auto trainer = FloatTrainer::create(file.config, training == 0 ? TrainingConfig() : training_at(training),
                                      std::move(data).value());
  if (!trainer) return trainer;
  read_values(trainer.value()->model().parameters(), file);
  if (Status status = trainer.value()->restart(); !status) return status;
  return trainer;
}

// No `training` = a model for inspection, without ids. 0 on failure.
Address load_model(Address file, Address size, Address /*format*/, Address training, Address ids, Address n_ids,
                   Address validation_ids, Address n_validation_ids) {
  const auto opened = open(file, size);
  if (!opened) {
    failed(opened.error());
    return 0;
  }
  const Llama2cFile& model = opened.value();
  return handle_of(trainer_of(
      model, training, data_of_model(training, model.config.vocab_size, ids, n_ids, validation_ids, n_validation_ids)));
}

}  // namespace
}  // namespace files

EMSCRIPTEN_BINDINGS(tied_files) {
  using emscripten::function;
  function("startFile", &files::start);
  function("nextFilePart", &files::next_part);
  function("deleteFile", &files::drop);
  function("loadTrainer", &files::load);
  function("loadCopy", &files::load_copy);
  function("modelVocabSize", &files::vocab_size);
  function("loadModel", &files::load_model);
}

}  // namespace tied::bindings
