/** A moment of a run of small GPTs as parts of a file, and back. */
import { giveBack } from '../../../core/runtime/give-back.js';
import type { FileBytes, LabArm, LabComparison } from '../../../core/types.js';
import type { GrowingSeries } from '../history.js';
import type { SampleBook, Sample } from '../transformer/samples.js';
import type { Part } from './run-file.js';

/** What is drawn of a model that trains. */
export interface KeptArm {
  readonly kind: string;
  readonly losses: GrowingSeries;
  readonly inputShares: { readonly matrix: GrowingSeries; readonly position: GrowingSeries };
  readonly heldOut: { steps: number[]; losses: number[] };
  readonly parameters: number;
}

/** What is stored as JSON, because it is small. */
interface Shown {
  readonly heldOut: Readonly<Record<string, KeptArm['heldOut']>>;
  readonly samples: readonly Sample[];
}

const series: Readonly<Record<string, (arm: KeptArm) => GrowingSeries>> = {
  losses: ({ losses }) => losses,
  'share-matrix': ({ inputShares }) => inputShares.matrix,
  'share-position': ({ inputShares }) => inputShares.position,
};
const modelPart = (kind: string): string => `${kind}.model`;

export function shownOf(arms: readonly KeptArm[], samples: SampleBook): Shown {
  return { heldOut: Object.fromEntries(arms.map(({ kind, heldOut }) => [kind, heldOut])), samples: samples.list };
}

export async function* partsOf(comparison: LabComparison, arms: readonly KeptArm[]): AsyncGenerator<Part> {
  for (const arm of arms) {
    yield { name: modelPart(arm.kind), pieces: fileOf(comparison.arm(arm.kind)) };
    for (const [name, of] of Object.entries(series)) {
      yield { name: `${arm.kind}.${name}`, pieces: [new Uint8Array(of(arm).values().slice().buffer)] };
    }
  }
}

/** A model's file in pieces, because it may take a hundred megabytes. Each is gone once the next one is asked for. */
async function* fileOf(arm: Pick<LabArm, 'save'>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<FileBytes, FileBytes>();
  const reader = readable.getReader();
  void arm
    .save({ to: writable })
    .then(() => writable.close())
    .catch((error: unknown) => writable.abort(error));
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) return;
      yield value;
      giveBack(value);
    }
  } finally {
    // Ends saving if the pieces could not be stored.
    await reader.cancel();
  }
}

/** A stored moment, as a run takes it up again. */
export interface Resumed {
  /** The models' files, by arm. */
  readonly saved: Readonly<Record<string, Uint8Array>>;
  /** Restores what is drawn of the steps before. */
  readonly recall: (arms: readonly object[], samples: SampleBook) => void;
}

export async function resumedOf(
  kinds: readonly string[],
  shown: unknown,
  read: (part: string) => Promise<Uint8Array>,
): Promise<Resumed> {
  const { heldOut, samples: written } = shown as Shown;
  const saved: Record<string, Uint8Array> = {};
  const drawn = new Map<string, Float32Array>();
  for (const kind of kinds) {
    saved[kind] = await read(modelPart(kind));
    for (const name of Object.keys(series)) {
      drawn.set(`${kind}.${name}`, new Float32Array((await read(`${kind}.${name}`)).slice().buffer));
    }
  }
  return {
    saved,
    recall: (arms, samples) => {
      for (const arm of arms as KeptArm[]) {
        for (const [name, of] of Object.entries(series)) of(arm).append(drawn.get(`${arm.kind}.${name}`) ?? []);
        arm.heldOut.steps.push(...(heldOut[arm.kind]?.steps ?? []));
        arm.heldOut.losses.push(...(heldOut[arm.kind]?.losses ?? []));
      }
      for (const sample of written) samples.keep(sample);
    },
  };
}
