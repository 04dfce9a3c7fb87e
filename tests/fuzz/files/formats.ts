/** Files of each format, generated from a grammar; the positions of their sizes and counts; their signatures. */
import type { Core, Tokenizer, Trainer } from '../../../web/index.js';
import { tinyModel, tinyTokenizer, VOCAB } from '../../browser/llama2c-files.js';
import type { Draw } from '../draw.js';
import { config } from '../grammar/accounting.js';
import { model, training } from '../grammar/models.js';
import { counts, ids, text } from '../grammar/values.js';
import { gpt2Files } from './gpt2-tokenizer.js';
import { signTokenizer, signTrainer } from './hashes.js';

/** A number in the format, little-endian, that a reader might trust. */
export interface Field {
  at: number;
  kind: 'u8' | 'u32' | 'f32' | 'u64' | 'f64';
}

export type FormatName =
  'trainer' | 'tokenizer' | 'llama2c model' | 'llama2c tokenizer' | 'gpt2 tokenizer' | 'config' | 'safetensors';

export interface Sample {
  format: FormatName;
  bytes: Uint8Array;
}

// -------------------------------------------------------------- files

function trainerOf(draw: Draw, core: Core): Trainer {
  const tokenizer = draw.odds(0.3) ? tokenizerOf(draw, core) : undefined;
  const vocabSize = tokenizer?.vocabSize ?? draw.whole(2, 9);
  const some = model(draw, vocabSize);
  const table = some.kind === 'direct-path' && !tokenizer && draw.odds(0.5);
  const data = table
    ? { bigramCounts: counts(draw, vocabSize) }
    : {
        tokenIds: ids(draw, vocabSize, 10, 60),
        ...draw.some({ validationTokenIds: () => ids(draw, vocabSize, 2, 20) }),
        ...(tokenizer ? { tokenizer } : {}),
      };
  const trainer = core.createTrainer({ model: some, training: training(draw, table), ...data } as never);
  tokenizer?.dispose();
  return trainer;
}

function tokenizerOf(draw: Draw, core: Core): Tokenizer {
  const kind = draw.of(['character', 'word', 'bpe'] as const);
  const alphabet = kind === 'bpe' && draw.odds(0.8) ? { alphabet: 'text' as const } : {};
  return core.trainTokenizer(`ab ${text(draw, 20, 200)}`, { kind, ...alphabet });
}

/** A trainer after a few steps, some of them manual; sometimes a llama2.c model without data. */
function trainerSamples(draw: Draw, core: Core): Sample[] {
  const trainer = draw.odds(0.15)
    ? core.loadModel(tinyModel({ tied: draw.odds(0.5) }), { format: 'llama2c' })
    : trainerOf(draw, core);
  try {
    if (draw.odds(0.7)) trainer.run(draw.whole(1, 8));
    if (draw.odds(0.2)) trainer.setMatrix('embedding', trainer.matrix('embedding'));
  } catch {
    // A rate of its grammar was too large, or it has no data: the file is of the trainer in its current state.
  }
  const samples: Sample[] = [
    { format: 'trainer', bytes: trainer.save() },
    { format: 'safetensors', bytes: trainer.toSafetensors() },
  ];
  trainer.dispose();
  return samples;
}

function tokenizerSample(draw: Draw, core: Core): Sample {
  const tokenizer = draw.odds(0.2)
    ? core.loadTokenizer(llama2cTokenizer(draw), { format: 'llama2c' })
    : draw.odds(0.2)
      ? core.loadTokenizer(gpt2Files(draw).whole, { format: 'gpt2' })
      : tokenizerOf(draw, core);
  const bytes = tokenizer.save();
  tokenizer.dispose();
  return { format: 'tokenizer', bytes };
}

const llama2cTokenizer = (draw: Draw): Uint8Array =>
  tinyTokenizer([...VOCAB, ...draw.list(draw.whole(0, 6), (i) => draw.of(['ab', 'abc', 'é', 'a']) + String(i))]);

/** Several files of each format. */
export function makeSamples(draw: Draw, core: Core): Sample[] {
  return draw
    .list(6, (): Sample[] => [
      ...trainerSamples(draw, core),
      tokenizerSample(draw, core),
      { format: 'llama2c tokenizer', bytes: llama2cTokenizer(draw) },
      { format: 'gpt2 tokenizer', bytes: gpt2Files(draw).whole },
      { format: 'llama2c model', bytes: tinyModel({ tied: draw.odds(0.5) }) },
      { format: 'config', bytes: new TextEncoder().encode(JSON.stringify(config(draw))) },
    ])
    .flat();
}

// -------------------------------------------------------------- sizes and counts

const run = (kind: Field['kind'], from: number, count: number, step: number): Field[] =>
  Array.from({ length: count }, (_, i) => ({ at: from + i * step, kind }));

// As in cpp/training/trainer_file.cpp.
const CHOICES = 13;
const WHOLES = 25;
const REALS = WHOLES + 16 * 8;
const POINTS = REALS + 16 * 8;

function trainerFields(bytes: Uint8Array): Field[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const fields: Field[] = [
    { at: 8, kind: 'u32' },
    ...run('u8', CHOICES - 1, 13, 1),
    ...run('u64', WHOLES, 16, 8),
    ...run('f64', REALS, 16, 8),
    { at: POINTS, kind: 'u8' },
  ];
  if (bytes.length < POINTS + 1) return fields.filter(({ at }) => at + 8 <= bytes.length);
  const data = POINTS + 1 + 16 * Math.min(bytes[POINTS]!, 16);
  fields.push(...run('u64', POINTS + 1, 2, 8), { at: data, kind: 'u8' }, ...run('u64', data + 1, 2, 8));
  // Rows of a table, attached tokens and progress, anywhere near the data.
  fields.push(...run('u32', data + 17, 6, 4));
  const tokens = data + 17 + (data + 17 <= bytes.length ? Number(view.getBigUint64(data + 1, true)) : 0);
  if (bytes[data] === 0 && tokens < bytes.length) fields.push(...run('u64', tokens, 4, 8));
  return fields;
}

const FIELDS: Readonly<Record<FormatName, (bytes: Uint8Array) => Field[]>> = {
  trainer: trainerFields,
  tokenizer: () => [...run('u32', 8, 6, 4), ...run('u32', 32, 8, 4)],
  'llama2c model': () => [...run('u32', 0, 7, 4), ...run('f32', 28, 8, 4)],
  'llama2c tokenizer': () => [{ at: 0, kind: 'u32' }, { at: 4, kind: 'f32' }, ...run('u32', 8, 4, 1)],
  'gpt2 tokenizer': () => [],
  config: () => [],
  safetensors: () => [{ at: 0, kind: 'u64' }],
};

export function fieldsOf({ format, bytes }: Sample): Field[] {
  return FIELDS[format](bytes).filter(({ at }) => at + 8 <= bytes.length);
}

export function sign({ format, bytes }: Sample): void {
  if (format === 'trainer') signTrainer(bytes);
  if (format === 'tokenizer') signTokenizer(bytes);
}
