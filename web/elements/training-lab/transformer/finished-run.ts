import { GrowingSeries } from '../history.js';
import type { TransformerArm } from './run.js';
import type { Sample } from './samples.js';
import { smallDevice, type ArmKind, type TransformerSettings } from './settings.js';

/** What is told of a text: lengths in tokens but for `characters`. */
export interface TextFacts {
  /** What it calls itself; null where the lab has a name for it. */
  readonly name: string | null;
  readonly characters: number | null;
  readonly vocabSize: number;
  readonly trainingTokens: number;
  readonly heldOutTokens: number;
}

/**
 * A run of small GPTs that somebody else has done: plain data, as JSON holds it. The lab shows it, marked, until the
 * reader's own run begins, and only while the lab is set as it was.
 */
export interface FinishedTransformerRun {
  readonly model: 'transformer';
  /** As the attributes `text-source` and `story-length`. */
  readonly textSource: string;
  readonly storyLength: number;
  readonly settings: TransformerSettings;
  /** Floors of the text, nats per token. */
  readonly bounds: { readonly unigram: number; readonly bigram: number };
  readonly text: TextFacts;
  /** In the order of `settings.arms`. */
  readonly arms: readonly FinishedTransformerArm[];
  readonly samples: readonly Sample[];
  /** Of the last step, for prompts of the reader's own; absent: the models have to be trained to write from those. */
  readonly models?: ModelsFile;
}

/** A safetensors file with the weights of all arms in half precision, and the tokenizer. */
export interface ModelsFile {
  /** Relative to the page. */
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The models' file could not be fetched, or does not belong to the run. `reason` completes a sentence. */
export class ModelsFileError extends Error {
  constructor(readonly reason: string) {
    super(`The trained models could not be opened: ${reason}.`);
    this.name = 'ModelsFileError';
  }
}

/** One value a step, from step 1 to the last, but for `heldOut`. */
export interface FinishedTransformerArm {
  readonly kind: ArmKind;
  readonly parameters: number;
  readonly losses: readonly number[];
  /** Shares of the input role, by both definitions. */
  readonly matrixShares: readonly number[];
  readonly positionShares: readonly number[];
  readonly heldOut: { readonly steps: readonly number[]; readonly losses: readonly number[] };
}

const equal = (a: object, b: object): boolean => {
  const [left, right] = [a, b] as Record<string, unknown>[];
  const names = Object.keys({ ...a, ...b });
  return names.every((name) => JSON.stringify(left?.[name]) === JSON.stringify(right?.[name]));
};

function isWhole({ settings, arms }: FinishedTransformerRun): boolean {
  return (
    arms.length === settings.arms.length &&
    arms.every(({ kind, losses, matrixShares, positionShares }, index) => {
      const lengths = [losses, matrixShares, positionShares].map(({ length }) => length);
      return kind === settings.arms[index] && lengths.every((length) => length === settings.steps);
    })
  );
}

/**
 * Whether a lab that is set like this would do the same run (`same`), or is the smaller lab that takes its place on
 * small devices (`full-size`); null of any other, and of data that is not whole.
 */
export function kinshipOf(
  run: FinishedTransformerRun,
  source: { textSource: string; storyLength: number },
  settings: TransformerSettings,
): 'same' | 'full-size' | null {
  const sameSource =
    run.textSource === source.textSource && (run.textSource !== 'stories' || run.storyLength === source.storyLength);
  if (!sameSource || !isWhole(run)) return null;
  if (equal(run.settings, settings)) return 'same';
  return equal({ ...run.settings, ...smallDevice }, settings) ? 'full-size' : null;
}

const shown = new WeakMap<FinishedTransformerRun, TransformerArm[]>();

/** The arms of such a run, to be drawn and spoken of as one's own; the same objects every time. */
export function finishedTransformerArms(run: FinishedTransformerRun): readonly TransformerArm[] {
  const known = shown.get(run);
  if (known !== undefined) return known;
  const arms = run.arms.map(({ kind, parameters, losses, matrixShares, positionShares, heldOut }) => ({
    kind,
    parameters,
    losses: GrowingSeries.of(losses),
    inputShares: { matrix: GrowingSeries.of(matrixShares), position: GrowingSeries.of(positionShares) },
    heldOut,
    tokensPerSecond: null,
  }));
  shown.set(run, arms);
  return arms;
}
