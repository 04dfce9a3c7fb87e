/** Checks of an experiment's file. Every field is read once; unknown fields are refused with the nearest known name. */
import { ofArm } from '../training/compare-options.js';
import { invalidArgument, shortened, TiedError } from '../runtime/errors.js';
import type { ExperimentArm, ExperimentClaim, ExperimentSpec, ExperimentText, ExperimentThen } from './types.js';
import { completeModel, MODEL_OPTIONS } from '../model/model-options.js';
import { completeTokenizer } from '../model/options.js';
import { completeTraining, TRAINING_OPTIONS } from '../training/training-options.js';
import {
  checkChoice,
  checkInteger,
  checkOptions,
  checkRange,
  checkSeed,
  checkString,
  isRecord,
  nearest,
  readList,
  readRecord,
} from '../runtime/validate.js';
import { checkDepth, checkMeasurable, checkShapes, type Planned } from './check-measurable.js';
import { checkBetween, checkMeasure } from './check-measure.js';
import { checkSource } from './check-source.js';
import { checkThen } from './check-then.js';
import { parseClaim } from './claim-language.js';
import { checkClaimed } from './claimed-measures.js';
import type { Reads } from './metric-kinds.js';
import { checkPlain } from './plain-data.js';

const MAX_ARMS = 16;
const MAX_SEEDS = 10_000;
const MAX_VALUES = 1000;
const MAX_JOBS = 100_000;
const MAX_MEASURES = 200;
const MAX_STEPS = 10_000_000;
const SPEC_OPTIONS = [
  'name',
  'text',
  'pairs',
  'tokenizer',
  'validation',
  'then',
  'model',
  'training',
  'arms',
  'grid',
  'seeds',
  'starts',
  'measure',
  'claims',
] as const;
const SPEC_TRAINING = ['steps', ...TRAINING_OPTIONS.filter((name) => name !== 'seed')] as const;
/** Without options that the text or the pairs determine. */
const SPEC_MODEL = MODEL_OPTIONS.filter((name) => !['vocabSize', 'startToken', 'endToken'].includes(name));
/** Of a text's tokens: with more, the nearest visible one is too far away for counts in hundredths. */
const [LEAST_HIDDEN, MOST_HIDDEN] = [0.01, 0.95];
const DIRECTIONS = ['forward', 'backward', 'either'] as const;
const TOKENIZER_OPTIONS = ['kind', 'vocabSize', 'alphabet'] as const;
const GRID = { model: SPEC_MODEL, training: SPEC_TRAINING, tokenizer: TOKENIZER_OPTIONS } as const;
/** Stands for a vocabulary size that only the text determines: large enough for every head that is valid for some vocabulary. */
const SOME_VOCABULARY = 2 ** 20;

export interface CheckedSpec
  extends
    Required<Omit<ExperimentSpec, 'text' | 'pairs' | 'then' | 'tokenizer' | 'claims'>>,
    Pick<ExperimentSpec, 'text' | 'pairs' | 'then'> {
  readonly tokenizer: Required<ExperimentSpec>['tokenizer'] | null;
  readonly claims: Required<ExperimentSpec>['claims'];
}

/** The parts of a job that the grid can change. */
export interface Settings {
  readonly tokenizer: Record<string, unknown> | null;
  readonly model: Record<string, unknown>;
  readonly training: Record<string, unknown>;
  readonly then: ExperimentThen | undefined;
}

export const readsOf = ({ pairs }: Pick<ExperimentSpec, 'pairs'>): Reads => (pairs === undefined ? 'text' : 'pairs');

/** @param of - the kind of file; a job's model may have fewer layers than its experiment measures */
export function checkSpec(spec: unknown, of: 'experiment' | 'job' = 'experiment'): CheckedSpec {
  const given = checkOptions<ExperimentSpec>('spec', spec as ExperimentSpec, SPEC_OPTIONS);
  const source = checkSource(given.text, given.pairs);
  const reads = readsOf(source as Pick<ExperimentSpec, 'pairs'>);
  const untokenized =
    'pairs' in source
      ? 'the characters of pairs are their tokens'
      : 'markov' in source.text
        ? 'the states of a Markov chain are its tokens'
        : null;
  if (untokenized !== null && given.tokenizer !== undefined)
    throw invalidArgument('spec.tokenizer', given.tokenizer, `it to be absent: ${untokenized}`);
  const tokenizer =
    untokenized !== null
      ? null
      : { ...completeGiven(given.tokenizer === undefined ? { kind: 'bpe' } : given.tokenizer) };
  const then = checkThen(given.then, (source as { text?: ExperimentText }).text);
  if (then !== undefined && given.validation === 0)
    throw invalidArgument('spec.validation', 0, 'above 0, so that both texts have held-out tokens');
  const arms = checkArms(given.arms);
  const checked: CheckedSpec = {
    name: checkName('spec.name', given.name),
    ...source,
    tokenizer,
    validation: given.validation === undefined ? 0.1 : checkRange('spec.validation', given.validation, 0, 0.9),
    ...(then === undefined ? {} : { then }),
    model: checkFields('spec.model', given.model, SPEC_MODEL),
    training: checkFields('spec.training', given.training, SPEC_TRAINING),
    arms,
    grid: checkGrid(given.grid, untokenized !== null),
    seeds: checkSeeds(given.seeds),
    starts:
      given.starts === undefined ? 'independent' : checkChoice('spec.starts', given.starts, ['independent', 'shared']),
    measure: [],
    claims: [],
  };
  const points = pointsOf(checked.grid);
  const jobs = points.length * checked.seeds.length * Object.keys(arms).length;
  if (jobs > MAX_JOBS)
    throw new TiedError(
      'invalid-argument',
      `spec.grid, spec.seeds and spec.arms make ${jobs} jobs; expected at most ${MAX_JOBS}`,
    );
  const planned = points.flatMap((point) => Object.keys(arms).map((arm) => checkSettings(checked, point, arm)));
  const names = Object.keys(arms);
  const shortest = Math.min(...planned.map(({ steps }) => steps));
  // A measure has to fit the shortest run.
  const measure = listOf('spec.measure', given.measure, 1, MAX_MEASURES).map((value, i) => {
    const argument = `spec.measure[${i}]`;
    const one = checkMeasure(argument, value, names, shortest, { reads, moves: then !== undefined });
    checkMeasurable(argument, one, planned);
    if (one.between !== undefined)
      checkShapes(argument, one, checkBetween(`${argument}.between`, one.between, names, reads), planned);
    if (of === 'experiment') checkDepth(argument, one, planned);
    return one;
  });
  const claims = (given.claims === undefined ? [] : listOf('spec.claims', given.claims, 0, MAX_MEASURES)).map(
    (one, i) => {
      const argument = `spec.claims[${i}]`;
      const claim = checkOptions<ExperimentClaim>(argument, one as ExperimentClaim, ['id', 'says', 'words']);
      const says = checkString(`${argument}.says`, claim.says);
      const parsed = parseClaim(`${argument}.says`, says, { arms: names, measure });
      checkClaimed(`${argument}.says`, parsed, { measure, grid: checked.grid }, planned);
      const words = claim.words === undefined ? {} : { words: checkString(`${argument}.words`, claim.words) };
      return { id: checkName(`${argument}.id`, claim.id), says: claim.says, ...words };
    },
  );
  return { ...checked, measure, claims };
}

/** All combinations of the grid's values, the last field changing fastest. */
export function pointsOf(grid: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown>[] {
  return Object.entries(grid).reduce<Record<string, unknown>[]>(
    (points, [field, values]) => points.flatMap((point) => values.map((value) => ({ ...point, [field]: value }))),
    [{}],
  );
}

/** The settings of an arm at a point of the grid. The arm's own options take precedence. */
export function settingsAt(spec: CheckedSpec, point: Readonly<Record<string, unknown>>, arm: string): Settings {
  const own = spec.arms[arm]!;
  const of = (part: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(point)
        .filter(([field]) => field.startsWith(`${part}.`))
        .map(([field, value]) => [field.slice(part.length + 1), value]),
    );
  const model = { ...spec.model, ...of('model'), ...own.model };
  const training: Record<string, unknown> = { ...spec.training, ...of('training'), ...own.training };
  const { then } = spec;
  // What is no number is refused later, with its name.
  const steps = typeof training['steps'] === 'number' ? training['steps'] : NaN;
  const further = { ...then?.training };
  return {
    tokenizer: spec.tokenizer && { ...spec.tokenizer, ...of('tokenizer') },
    model: { kind: spec.pairs === undefined ? 'transformer' : 'encoder-decoder', ...model },
    training: { ...training, ...endOf(training, then?.afterSteps ?? steps) },
    then: then && {
      ...then,
      training: { ...further, ...endOf({ ...training, ...further }, steps - then.afterSteps) },
    },
  };
}

/** The cosine ends with the run, or with its text. */
const endOf = ({ decay, totalSteps }: Record<string, unknown>, steps: number): { totalSteps?: number } =>
  decay === 'cosine' && totalSteps === undefined ? { totalSteps: steps } : {};

const statesOf = ({ text }: CheckedSpec): number => (text !== undefined && 'markov' in text ? text.markov.states : 0);

/** Checks the settings of an arm at a point. */
function checkSettings(spec: CheckedSpec, point: Readonly<Record<string, unknown>>, arm: string): Planned {
  const { tokenizer, model, training, then } = settingsAt(spec, point, arm);
  const { steps, ...others } = training;
  try {
    const tokens = tokenizer === null ? null : completeTokenizer(tokenizer as never, 'spec.tokenizer');
    const named = tokens === null ? statesOf(spec) : tokens.vocabSize;
    const vocabSize = named > 0 ? named : SOME_VOCABULARY;
    const { direction, hidden } = spec.arms[arm]!;
    const isOfPairs = readsOf(spec) === 'pairs';
    if ((model['kind'] === 'encoder-decoder') !== isOfPairs) {
      const expected = isOfPairs ? "'encoder-decoder', which reads spec.pairs" : 'another: only spec.pairs has pairs';
      throw invalidArgument('model.kind', model['kind'], expected);
    }
    const complete = completeModel({ ...model, vocabSize } as never);
    if (isOfPairs && direction !== undefined)
      throw invalidArgument('direction', direction, 'it to be absent: pairs have none');
    if (isOfPairs && hidden !== undefined)
      throw invalidArgument('hidden', hidden, 'it to be absent: pairs have no hidden tokens');
    const wholeTable = complete.kind === 'direct-path' && others['batchSize'] === undefined;
    completeTraining({ ...others, seed: 0 } as never, wholeTable);
    if (direction === 'either' && !wholeTable)
      throw invalidArgument(
        'direction',
        'either',
        "'forward' or 'backward': only a direct path without batchSize reads pairs",
      );
    if (hidden !== undefined && !wholeTable)
      throw invalidArgument('hidden', hidden, 'it to be absent: only a direct path without batchSize reads pairs');
    const whole = checkInteger('training.steps', steps, 1, MAX_STEPS);
    if (then !== undefined) {
      checkInteger('spec.then.afterSteps', then.afterSteps, 1, whole - 1);
      if (typeof complete.tying !== 'string')
        throw invalidArgument(
          'model.tying',
          model['tying'],
          'one that does not change: with spec.then, steps begin again',
        );
      completeTraining({ ...others, ...then.training, seed: 0 } as never, wholeTable);
    }
    return { arm, point, steps: whole, model: complete, training: others };
  } catch (error) {
    const named = ofArm(arm, error);
    const where = Object.entries(point).map(([field, value]) => `${field} = ${JSON.stringify(value)}`);
    if (where.length === 0 || !(named instanceof TiedError)) throw named;
    throw new TiedError(named.code, `at ${where.join(', ')}, ${named.message}`, { cause: error });
  }
}

function checkArms(value: unknown): Record<string, ExperimentArm> {
  if (!isRecord(value)) throw invalidArgument('spec.arms', value, 'an object of models by name');
  const named = Object.entries(readRecord('spec.arms', value));
  if (named.length < 1 || named.length > MAX_ARMS) {
    throw new TiedError('invalid-argument', `spec.arms has ${named.length} models; expected 1 to ${MAX_ARMS}`);
  }
  return Object.fromEntries(
    named.map(([name, arm]) => {
      const argument = `spec.arms.${shortened(name)}`;
      checkName(argument, name);
      const {
        model = {},
        training = {},
        direction,
        hidden,
      } = checkOptions<ExperimentArm>(argument, arm as ExperimentArm, ['model', 'training', 'direction', 'hidden']);
      return [
        name,
        {
          model: checkFields(`${argument}.model`, model, SPEC_MODEL),
          training: checkFields(`${argument}.training`, training, SPEC_TRAINING),
          ...(direction === undefined
            ? {}
            : { direction: checkChoice(`${argument}.direction`, direction, DIRECTIONS) }),
          ...(hidden === undefined
            ? {}
            : { hidden: checkRange(`${argument}.hidden`, hidden, LEAST_HIDDEN, MOST_HIDDEN) }),
        },
      ];
    }),
  );
}

/** Names end up in claims, tables and names of files. */
function checkName(argument: string, value: unknown): string {
  const name = checkString(argument, value);
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)) {
    throw invalidArgument(argument, value, 'a name of letters, digits, - and _, at most 100 of them');
  }
  return name;
}

function checkFields<T extends object>(argument: string, value: T, known: readonly string[]): T {
  const fields = { ...checkOptions(argument, value, known) };
  checkPlain(argument, fields);
  return fields;
}

function completeGiven(value: unknown): Required<ExperimentSpec>['tokenizer'] {
  const given = checkOptions('spec.tokenizer', value as Required<ExperimentSpec>['tokenizer'], TOKENIZER_OPTIONS);
  completeTokenizer(given, 'spec.tokenizer');
  return given;
}

function checkGrid(value: unknown, untokenized: boolean): Record<string, readonly unknown[]> {
  if (value === undefined) return {};
  if (!isRecord(value))
    throw invalidArgument('spec.grid', value, "an object of lists, as { 'model.dModel': [16, 32] }");
  const parts = untokenized ? (['model', 'training'] as const) : (['model', 'training', 'tokenizer'] as const);
  const known = parts.flatMap((part) => GRID[part].map((name) => `${part}.${name}`));
  return Object.fromEntries(
    Object.entries(readRecord('spec.grid', value)).map(([field, values]) => {
      if (!known.includes(field)) {
        const near = nearest(field, known);
        const expected = near === null ? "a field of 'model', 'training' or 'tokenizer'" : `'${near}'`;
        throw new TiedError('invalid-argument', `spec.grid.${shortened(field)} is not an option; expected ${expected}`);
      }
      const list = listOf(`spec.grid['${field}']`, values, 1, MAX_VALUES);
      checkPlain(`spec.grid['${field}']`, list);
      if (new Set(list.map((one) => JSON.stringify(one))).size < list.length)
        throw invalidArgument(`spec.grid['${field}']`, values, 'each value once');
      return [field, list];
    }),
  );
}

function checkSeeds(value: unknown): number[] {
  const seeds = listOf('spec.seeds', value, 1, MAX_SEEDS).map((seed, i) => checkSeed(`spec.seeds[${i}]`, seed));
  const again = seeds.findIndex((seed, i) => seeds.indexOf(seed) < i);
  if (again >= 0) throw invalidArgument(`spec.seeds[${again}]`, seeds[again], 'each seed once');
  return seeds;
}

function listOf(argument: string, value: unknown, least: number, most: number): unknown[] {
  const list = readList(value, least, most);
  if (list === null) throw invalidArgument(argument, value, `a list of ${least} to ${most}`);
  return list;
}
