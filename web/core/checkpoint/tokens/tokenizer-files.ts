/** Finds the files of a tokenizer that can encode, among those beside a checkpoint. */
import type { TokenizerSource } from '../../text/load-tokenizer.js';
import { badFile, type ByteSource } from '../bytes/source.js';
import { isLlama2cTokens } from './token-strings.js';

const LARGEST_FILE = 2 ** 28;
/** Names under which merges are published, by the name of their vocabulary. */
const MERGES = { 'vocab.json': 'merges.txt', 'encoder.json': 'vocab.bpe' } as const;

export interface TokenFiles {
  /** A file beside the tensors; null if there is none. */
  readonly companion: (name: string) => Promise<ByteSource | null>;
  /** A file that the caller gave under an arbitrary name. */
  readonly named: ByteSource | undefined;
  readonly merges: ByteSource | undefined;
}

export async function findTokenizer(
  { companion, named, merges }: TokenFiles,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<TokenizerSource | null> {
  if (named !== undefined) return ofFile(named, merges ?? null, notes, signal);
  const whole = await companion('tokenizer.json');
  if (whole !== null) return ofFile(whole, null, notes, signal);
  for (const [vocabulary, beside] of Object.entries(MERGES)) {
    const found = await companion(vocabulary);
    if (found !== null) return ofFile(found, merges ?? (await companion(beside)), notes, signal);
  }
  const llama2c = await companion('tokenizer.bin');
  return llama2c && ofFile(llama2c, null, notes, signal);
}

async function ofFile(
  source: ByteSource,
  merges: ByteSource | null,
  notes: string[],
  signal: AbortSignal | undefined,
): Promise<TokenizerSource | null> {
  if (/\.txt$/i.test(source.name)) {
    noteOnce(
      notes,
      `There is no tokenizer: ${source.name} has tokens, but does not say how a text is split into them.`,
    );
    return null;
  }
  const bytes = await allOf(source, signal);
  if (isLlama2cTokens(bytes)) return { bytes, format: 'llama2c' };
  // A vocabulary alone cannot encode a text; the rest of the file is checked when it is parsed.
  if (merges === null && !/"merges"/.test(new TextDecoder('latin1').decode(bytes))) {
    noteOnce(notes, `There is no tokenizer: ${source.name} has tokens but no merges; expected merges.txt beside it.`);
    return null;
  }
  return { bytes, format: 'gpt2', ...(merges === null ? {} : { merges: await allOf(merges, signal) }) };
}

async function allOf(source: ByteSource, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const { size, name } = source;
  if (size === null || size > LARGEST_FILE)
    throw badFile(name, `it has ${size ?? 'an unknown number of'} bytes; expected at most ${LARGEST_FILE}`);
  return source.read(0, size, signal);
}

export function noteOnce(notes: string[], note: string): void {
  if (!notes.includes(note)) notes.push(note);
}
