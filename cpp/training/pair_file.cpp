// Pairs in a trainer's file.
#include "base/allocate.h"
#include "training/trainer_file_parts.h"

namespace tied {
namespace {

void write_sequences(ByteWriter& out, const Sequences& sequences, std::size_t width) {
  out.write(static_cast<std::uint64_t>(sequences.size()));
  out.write_all(sequences.starts.data(), sequences.starts.size());
  write_ids(out, sequences.ids, width);
}

Status read_sequences(ByteReader& in, std::uint64_t& bytes, std::uint64_t vocab_size, Sequences* sequences) {
  const auto count = in.read<std::uint64_t>();
  if (in.failed() || count > in.remaining() / sizeof(std::uint32_t)) {
    return bad_file("more sequences than bytes", in.position());
  }
  if (count == 0) return {};
  if (sequences != nullptr) {
    if (Status status = allocate(sequences->starts, count + 1); !status) return status;
  }
  std::uint32_t end = 0;
  for (std::size_t i = 0; i <= count; ++i) {
    const auto start = in.read<std::uint32_t>();
    if (i == 0 ? start != 0 : start < end) return bad_file("sequences out of order", in.position());
    if (sequences != nullptr) sequences->starts[i] = start;
    end = start;
  }
  if (in.failed() || end > in.remaining() / id_bytes(vocab_size)) {
    return bad_file("more tokens than bytes", in.position());
  }
  if (sequences != nullptr) {
    if (Status status = allocate(sequences->ids, end); !status) return status;
  }
  for (std::uint32_t i = 0; i < end; ++i) {
    const auto id = static_cast<std::uint32_t>(in.read_bits(id_bytes(vocab_size)));
    if (id >= vocab_size) return bad_file("token " + text_of(id), in.position());
    if (sequences != nullptr) sequences->ids[i] = id;
  }
  bytes += (count + 1 + end) * sizeof(std::uint32_t);
  return {};
}

}  // namespace

void write_pairs(ByteWriter& out, const Pairs& pairs, std::uint64_t vocab_size) {
  write_sequences(out, pairs.sources, id_bytes(vocab_size));
  write_sequences(out, pairs.targets, id_bytes(vocab_size));
}

Status read_pairs(ByteReader& in, std::uint64_t& bytes, std::uint64_t vocab_size, Pairs* pairs) {
  Status status = read_sequences(in, bytes, vocab_size, pairs == nullptr ? nullptr : &pairs->sources);
  if (!status) return status;
  return read_sequences(in, bytes, vocab_size, pairs == nullptr ? nullptr : &pairs->targets);
}

}  // namespace tied
