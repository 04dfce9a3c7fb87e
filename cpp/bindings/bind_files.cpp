// Files of trainers, part by part. A file's handle is its address, which JavaScript holds until it calls `deleteFile`;
// it must not outlive its trainer.
#include <array>
#include <memory>
#include <utility>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "checkpoint/safetensors_writer.h"
#include "training/trainer_file.h"

namespace tied::bindings {
namespace {

using FloatTrainer = Trainer<float>;

// Not allocated, so that a trainer can be saved however full the memory is.
std::array<std::uint8_t, std::size_t{1} << 18> part;

FileParts& file_at(Address handle) { return *reinterpret_cast<FileParts*>(handle); }

std::unique_ptr<FileParts> file_of(const FloatTrainer& trainer, bool safetensors) {
  if (!safetensors) return std::make_unique<TrainerFile<float>>(trainer);
  return std::make_unique<SafetensorsFile>(trainer.model_config(), trainer.model().parameters());
}

// [bytes of the file]
Address start(Address trainer, bool safetensors) {
  std::unique_ptr<FileParts> file = file_of(*at<FloatTrainer>(trainer), safetensors);
  answer.numbers({static_cast<double>(file->size())});
  return reinterpret_cast<Address>(file.release());
}

// The next bytes of the file.
bool next_part(Address handle) {
  const std::size_t size = file_at(handle).next(part);
  answer.bytes(std::span<const std::uint8_t>(part).first(size));
  return true;
}

void drop(Address handle) { delete &file_at(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_files) {
  using emscripten::function;
  function("startFile", &start);
  function("nextFilePart", &next_part);
  function("deleteFile", &drop);
}

}  // namespace tied::bindings
