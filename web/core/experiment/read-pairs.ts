/** The pairs of a job as tokens, split into training and held-out pairs. */
import { TiedError } from '../runtime/errors.js';
import { MAX_LENGTH } from '../text/pair-tasks.js';
import type { ExperimentJob, ExperimentPairs } from './types.js';
import type { TextPair, TokenPairs } from '../types.js';
import { sha256Of } from './canonical.js';
import type { ExperimentHost, JobPairs } from './metric-kinds.js';

export interface OpenedPairs extends JobPairs {
  readonly reads: 'pairs';
  readonly vocabSize: number;
  readonly counts: Uint32Array;
  /** SHA-256 of the UTF-8 bytes of the pairs, one per line: source, tab, target. */
  readonly sha256: string;
  readonly close: () => void;
}

export async function openPairs(
  host: ExperimentHost,
  { pairs, validation }: Pick<ExperimentJob, 'validation'> & { pairs: ExperimentPairs },
  texts: Readonly<Record<string, string>>,
): Promise<OpenedPairs> {
  const all = await writtenPairs(host, pairs, texts);
  const tokenizer = await host.pairTokenizer(all);
  try {
    const encoded = await host.encodePairs({ pairs: all, tokenizer });
    const { startToken, endToken, sourceLength, contextLength } = encoded;
    const isHeldOut = (i: number): boolean => Math.floor((i + 1) * validation) > Math.floor(i * validation);
    const part = (wanted: boolean): TokenPairs => ({
      source: encoded.pairs.source.filter((_, i) => isHeldOut(i) === wanted),
      target: encoded.pairs.target.filter((_, i) => isHeldOut(i) === wanted),
    });
    const [training, heldOut] = [part(false), part(true)];
    const counts = new Uint32Array(tokenizer.vocabSize);
    for (const ids of [...training.source, ...training.target]) for (const id of ids) counts[id]! += 1;
    for (const id of [startToken, endToken]) counts[id]! += training.target.length;
    const sources = new Set(all.filter((_, i) => !isHeldOut(i)).map(({ source }) => source));
    const unseen = all.filter(({ source }, i) => isHeldOut(i) && !sources.has(source)).length;
    const { length } = heldOut.source;
    return {
      reads: 'pairs',
      tokenizer,
      vocabSize: tokenizer.vocabSize,
      counts,
      training,
      heldOut,
      seen: length === 0 ? null : (length - unseen) / length,
      lengths: { sourceLength, contextLength },
      sha256: sha256Of(all.map(({ source, target }) => `${source}\t${target}\n`).join('')),
      close: () => {
        tokenizer.dispose();
      },
    };
  } catch (error) {
    tokenizer.dispose();
    throw error;
  }
}

/** The same limits as for a list: an encoder that attends to all characters of longer sides would take hours. */
function checkSides(file: string, pairs: readonly TextPair[]): readonly TextPair[] {
  for (const [i, pair] of pairs.entries()) {
    for (const side of ['source', 'target'] as const) {
      const { length } = pair[side];
      if (length <= MAX_LENGTH) continue;
      const message = `pair ${i + 1} of '${file}' has a ${side} of ${length} characters; expected at most ${MAX_LENGTH}`;
      throw new TiedError('invalid-argument', message);
    }
  }
  return pairs;
}

async function writtenPairs(
  host: ExperimentHost,
  pairs: ExperimentPairs,
  texts: Readonly<Record<string, string>>,
): Promise<readonly TextPair[]> {
  if ('list' in pairs) return pairs.list;
  if ('task' in pairs) return host.writePairs(pairs);
  const found = Object.hasOwn(texts, pairs.file) ? texts[pairs.file] : undefined;
  if (found !== undefined) return checkSides(pairs.file, await host.parsePairs(found));
  throw new TiedError('invalid-argument', `spec.pairs.file is '${pairs.file}'; expected a name in options.texts`);
}
