import { completeModel } from '../../core/model/model-options.js';
import type { Lab, TunedLens } from '../../core/types.js';
import { alignmentSettings, type Method } from '../alignment/alignment.settings.js';
import { measureOthers } from '../alignment/other-measures.js';
import { comparisons as tableComparisons } from '../alignment/compared-tables.js';
import * as tables from '../alignment/tables.js';
import { hiddenStatesSettings } from '../hidden-states/hidden-states.settings.js';
import * as states from '../hidden-states/measure.js';
import { lensSettings } from '../lens/lens.settings.js';
import * as lens from '../lens/measure.js';
import { openTwins, twinConfigs, twinKinds, type Closable, type Listening } from '../shared/model-twins.js';
import { contentOf } from '../shared/models-file.js';
import { readPrompt } from '../shared/prompt.js';
import type { Settings, Values } from '../shared/settings/setting.js';
import { refuseValues, valuesOfLink } from './link-values.js';

/** What a figure draws, by name; null if the measure does not exist. */
type Drawn = Readonly<Record<string, number | null>>;

/**
 * What a figure measures and draws, and what another program needs to repeat the measurement, with the values to
 * expect.
 */
export interface Measurement {
  readonly measured: object;
  readonly drawn: Drawn;
  readonly anew: { readonly kind: string; readonly values: Drawn };
}

/** A figure that measures the models in a file. */
interface ModelsFigure {
  /** The figure's name in words. */
  readonly name: string;
  readonly settings: Settings;
  /** What the figure measures with these settings, and what it draws from that; null if its prompt is too short. */
  readonly measure: (lab: Lab, file: Uint8Array, values: Values, listening: Listening) => Promise<Measurement | null>;
}

const otherFile = 'it does not hold a tied and an untied model';

async function withOpened<Opened extends Closable, Value>(
  open: Promise<Opened>,
  act: (opened: Opened) => Promise<Value>,
): Promise<Value> {
  const opened = await open;
  try {
    return await act(opened);
  } finally {
    opened.dispose();
  }
}

/** Configurations with defaults for what the file leaves out. */
function configsIn(file: Uint8Array): object {
  const { tied, untied } = twinConfigs(contentOf(file));
  return { tied: completeModel(tied), untied: completeModel(untied) };
}

/** The index of the link's position, which counts from 1, or of the last one. */
const placeIn = (count: number, position: unknown): number =>
  Math.min(count, typeof position === 'number' ? position : count) - 1;

const alignmentFigure: ModelsFigure = {
  name: 'alignment',
  settings: alignmentSettings,
  measure: (lab, file, values, listening) =>
    withOpened(tables.openTables(lab, file, otherFile), async (opened) => {
      const method = values['method'] as Method;
      const center = values['center'] === 'centered';
      const holdOut = values['holdOut'] === 'fifth' && method !== 'identity';
      const others = values['otherMeasures'] === true;
      const found = await tables.measureTables(lab, opened, { method, center, holdOut, others }, listening);
      const measured = { ...found, others: others ? await measureOthers(lab, opened, center, listening) : null };
      const drawn = tableComparisons.flatMap(({ id, from, to }) => {
        const { alignment, overlap } = measured.pairs[id];
        const pair = `${from} to ${to}`;
        return [
          [`${pair}, cosine`, alignment.meanCosine],
          [`${pair}, cosine by chance`, alignment.null.meanCosine],
          [`${pair}, cosine of rows held out`, alignment.heldOut?.meanCosine ?? null],
          [`${pair}, shared neighbors`, overlap.overlap],
          [`${pair}, shared neighbors by chance`, overlap.null],
        ] as const;
      });
      const cosines = drawn.filter(([name]) => name.endsWith(', cosine'));
      const anew = { kind: 'alignment', method, center, values: Object.fromEntries(cosines) };
      return { measured, drawn: Object.fromEntries(drawn), anew };
    }),
};

const statesFigure: ModelsFigure = {
  name: 'hidden states',
  settings: hiddenStatesSettings,
  measure: (lab, file, { prompt, place, target, position }, { signal }) =>
    withOpened(openTwins(lab, file, otherFile), async (twins) => {
      signal.throwIfAborted();
      const measured = await states.measurePrompt(lab, twins, { prompt: String(prompt) });
      if (measured === null) return null;
      const drawn = states.tableNames.flatMap((name) => {
        const { positions, median } = measured.splits[name][place as states.Place][target as states.Target];
        const at = positions[placeIn(positions.length, position)];
        return [
          [`${name}, cosine`, at?.cosine ?? null],
          [`${name}, ratio`, at?.ratio ?? null],
          [`${name}, median ratio`, median.ratio],
          [`${name}, largest other cosine, median`, median.other],
        ] as const;
      });
      const values = states.tableNames.flatMap((name) =>
        measured.splits[name][place as states.Place][target as states.Target].positions.map(
          ({ cosine }, at) => [`${name}, position ${at + 1}, cosine`, cosine] as const,
        ),
      );
      const anew = {
        ...{ kind: 'states', place, target, configs: configsIn(file) },
        ...{ ids: (await readPrompt(twins, String(prompt))).ids, values: Object.fromEntries(values) },
      };
      return { measured, drawn: Object.fromEntries([...drawn, ['ratio by chance', measured.baseline]]), anew };
    }),
};

/**
 * How far a translated layer was from the last one in the first steps of its training, and then in every tenth step.
 */
function historyOf(model: string, trained: TunedLens | undefined): (readonly [string, number])[] {
  if (trained === undefined) return [];
  const { rows, cols, data } = trained.history;
  const steps = Array.from({ length: rows }, (_, row) => row + 1).filter((step) => step <= 5 || step % 10 === 0);
  return steps.flatMap((step) =>
    Array.from(
      { length: cols },
      (_, layer) => [`${model}, step ${step}, layer ${layer}, mean bits`, data[(step - 1) * cols + layer]!] as const,
    ),
  );
}

const lensFigure: ModelsFigure = {
  name: 'lenses',
  settings: lensSettings,
  measure: (lab, file, { prompt, lens: kind, position }, listening) =>
    withOpened(openTwins(lab, file, otherFile), async (twins) => {
      const question = { prompt: String(prompt), kind: kind as lens.LensKind };
      const measured = await lens.measureLens(lab, twins, question, listening);
      if (measured === null) return null;
      const place = placeIn(measured.tokens.length, position);
      const drawn = twinKinds.flatMap((model) => [
        ...measured.layers[model].map(({ bits }, layer) => [`${model}, layer ${layer}, bits`, bits[place]!] as const),
        ...measured.means[model].map((mean, layer) => [`${model}, layer ${layer}, mean bits`, mean] as const),
        [`${model}, bits by chance`, measured.chance[model]] as const,
      ]);
      const trained = question.kind === 'tuned' ? lens.trainedLenses(twins)! : null;
      const values = twinKinds.flatMap((model) => [
        ...historyOf(model, trained?.lenses.get(model)),
        ...measured.layers[model].flatMap(({ bits }, layer) =>
          bits.map((value, at) => [`${model}, layer ${layer}, position ${at + 1}, bits`, value] as const),
        ),
      ]);
      const anew = {
        ...{ kind: 'lens', configs: configsIn(file) },
        ...{ ids: (await readPrompt(twins, question.prompt)).ids, values: Object.fromEntries(values) },
        ...(trained === null ? {} : { translators: lens.lensBudget, training: trained.training }),
      };
      return { measured, drawn: Object.fromEntries(drawn), anew };
    }),
};

/** Keyed by a setting that links to this figure always name, and links to no other figure. */
const figures: Readonly<Record<string, ModelsFigure>> = {
  method: alignmentFigure,
  target: statesFigure,
  lens: lensFigure,
};

const figureOf = (attributes: ReadonlyMap<string, string>): ModelsFigure | undefined =>
  Object.entries(figures).find(([mark]) => attributes.has(mark))?.[1];

export const isModelsLink = (attributes: ReadonlyMap<string, string>): boolean => figureOf(attributes) !== undefined;

/** The measurement that a link to such a figure leads to. */
export interface LinkedModels {
  readonly name: string;
  readonly measure: (lab: Lab, file: Uint8Array, listening: Listening) => Promise<Measurement | null>;
}

/**
 * Reads such a link the way the figure does. Throws a `RangeError` if the figure would use a value other than the
 * link's.
 */
export function readModelsLink(attributes: ReadonlyMap<string, string>): LinkedModels {
  const { name, settings, measure } = figureOf(attributes)!;
  const values = valuesOfLink(settings, attributes, `a figure of ${name}`);
  refuseValues(settings, values);
  return { name, measure: (lab, file, listening) => measure(lab, file, values, listening) };
}
