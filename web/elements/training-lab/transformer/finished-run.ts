import { oncePer } from '../../shared/once-per.js';
import { areEqual } from '../finished-run.js';
import { GrowingSeries } from '../history.js';
import type { TransformerArm } from './arms.js';
import type { Sample } from './samples.js';
import { smallDevice, type ArmKind, type TransformerSettings } from './settings.js';

/** Facts about a text; lengths are in tokens, except `characters`. */
export interface TextFacts {
  /** Its own name; null if the lab names it. */
  readonly name: string | null;
  readonly characters: number | null;
  readonly vocabSize: number;
  readonly trainingTokens: number;
  readonly heldOutTokens: number;
}

/**
 * A run of small GPTs that was made elsewhere, as plain JSON data. The lab shows it, with a badge, until the reader
 * starts a run, and only while its settings are the current ones.
 */
export interface FinishedTransformerRun {
  readonly model: 'transformer';
  /** The values of the attributes `text-source` and `story-length`. */
  readonly textSource: string;
  readonly storyLength: number;
  readonly settings: Omit<TransformerSettings, 'shards'> & { readonly shards?: number };
  /** Floors of the text, nats per token. */
  readonly bounds: { readonly unigram: number; readonly bigram: number };
  readonly text: TextFacts;
  /** In the order of `settings.arms`. */
  readonly arms: readonly FinishedTransformerArm[];
  readonly samples: readonly Sample[];
  /** The models of the last step, for other prompts; if absent, the models have to be trained first. */
  readonly models?: ModelsFile;
}

/** A safetensors file with the weights of all arms in half precision, and the tokenizer. */
export interface ModelsFile {
  /** Relative to the page. */
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** One value per step, from step 1 to the last, except `heldOut`. */
export interface FinishedTransformerArm {
  readonly kind: ArmKind;
  readonly parameters: number;
  readonly losses: readonly number[];
  /** The input part's shares, by both definitions. */
  readonly matrixShares: readonly number[];
  readonly positionShares: readonly number[];
  readonly heldOut: { readonly steps: readonly number[]; readonly losses: readonly number[] };
}

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
 * Whether a lab with these settings would do the same run (`same`), or is the smaller lab for small devices
 * (`full-size`); null for any other lab, and if the data is incomplete.
 */
export function kinshipOf(
  run: FinishedTransformerRun,
  source: { textSource: string; storyLength: number },
  settings: TransformerSettings,
): 'same' | 'full-size' | null {
  const sameSource =
    run.textSource === source.textSource && (run.textSource !== 'stories' || run.storyLength === source.storyLength);
  if (!sameSource || !isWhole(run)) return null;
  // Runs that were recorded before batches had parts.
  const recorded = { shards: 1, ...run.settings };
  if (areEqual(recorded, settings)) return 'same';
  return areEqual({ ...recorded, ...smallDevice }, settings) ? 'full-size' : null;
}

/**
 * The arms of such a run, in the form in which the reader's own arms are drawn and described. Always returns the same
 * objects.
 */
export const finishedTransformerArms = oncePer(({ arms }: FinishedTransformerRun): readonly TransformerArm[] =>
  arms.map(({ kind, parameters, losses, matrixShares, positionShares, heldOut }) => ({
    kind,
    parameters,
    losses: GrowingSeries.of(losses),
    inputShares: { matrix: GrowingSeries.of(matrixShares), position: GrowingSeries.of(positionShares) },
    heldOut,
    untiedAt: null,
    tokensPerSecond: null,
  })),
);
