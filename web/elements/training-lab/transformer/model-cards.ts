/** The model cards of a run: what the lab measures about each model, and what the run has recorded. */
import type { LabComparison, ModelCardData } from '../../../core/types.js';
import type { Listening } from '../../shared/model-twins.js';
import type { TransformerArm, TransformerText } from './arms.js';
import type { ArmKind } from './settings.js';

export interface Cards {
  readonly step: number;
  /** In the order of the arms. */
  readonly models: readonly { readonly kind: ArmKind; readonly data: ModelCardData; readonly markdown: string }[];
}

/** The number of steps with records; the models may have continued from earlier steps. */
const recordsOf = ({ losses, inputShares: { matrix, position } }: TransformerArm) =>
  Array.from(losses.values(), (loss, index) => ({
    step: index + 1,
    loss,
    inputShare: matrix.at(index) ?? Number.NaN,
    inputPositionShare: position.at(index) ?? Number.NaN,
  })).filter(({ inputShare }) => Number.isFinite(inputShare));

/** Measured on held-out text, which must exist. */
export async function measureCards(
  comparison: LabComparison,
  arms: readonly TransformerArm[],
  { corpus, heldOutTokens }: TransformerText,
  { signal, onProgress }: Listening,
): Promise<Cards> {
  const tokenIds = await corpus.tokenIds('validation', { first: 0, count: heldOutTokens });
  const counts = await corpus.frequencies();
  const models = [];
  for (const [at, arm] of arms.entries()) {
    const records = recordsOf(arm);
    const card = await comparison.arm(arm.kind).modelCard({
      tokenIds,
      counts,
      ...(records.length > 0 ? { records } : {}),
      signal,
      onProgress: (fraction) => onProgress((at + fraction) / arms.length),
    });
    models.push({ kind: arm.kind, ...card });
  }
  return { step: comparison.step, models };
}
