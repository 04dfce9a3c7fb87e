/** The option `tying`: its checks, and its fields in the core. */
import { isRevoked } from '../runtime/arrays.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import { MAX_TYING_CHANGES, MODEL_FIELDS } from '../generated/fields.js';
import type { FlatOptions } from './option-codec.js';
import type { TYING_CHANGE } from '../generated/records.js';
import type { Read } from '../runtime/answer.js';
import type { Tying, TyingChange, TyingCondition, TyingSchedule } from './types.js';
import { checkChoice, checkInteger, checkOptions, checkRange, readList } from '../runtime/validate.js';

const CHANGES = ['untieAtStep', 'tieAtStep', 'untieWhen', 'tieWhen'] as const;
const SIDES = ['above', 'below'] as const;
const CONDITIONS = MODEL_FIELDS['tying.condition'].words;
const PARTS = ['untieAtStep', 'tieAtStep', 'condition', 'share', 'over', 'from'] as const;

export function checkTying(tying: unknown): Tying | TyingSchedule {
  if (typeof tying !== 'object' || tying === null) return checkChoice('model.tying', tying, MODEL_FIELDS.tying.words);
  // A revoked proxy, for which Array.isArray would throw, is not a list.
  return !isRevoked(tying) && Array.isArray(tying) ? checkChanges(tying) : checkChange('model.tying', tying);
}

function checkChange(argument: string, given: unknown): TyingChange {
  const [change, value] = onlyOf(argument, 'change', given, CHANGES);
  const name = `${argument}.${change}`;
  const checked = /When$/.test(change) ? checkCondition(name, value) : checkInteger(name, value, 1);
  return { [change]: checked } as unknown as TyingChange;
}

/** A list of one change is the same as that change. */
function checkChanges(given: unknown): TyingSchedule {
  const argument = 'model.tying';
  const list = readList(given, 1, MAX_TYING_CHANGES);
  if (!list) throw invalidArgument(argument, given, `one change, or a list of 1 to ${MAX_TYING_CHANGES}`);
  const changes = list.map((change, i) => checkChange(`${argument}[${i}]`, change));
  let last = 0;
  for (const [i, change] of changes.entries()) {
    const [[name, value]] = Object.entries(change) as [[string, unknown]];
    if (i > 0 && unties(change) === unties(changes[i - 1]!)) {
      const expected = unties(change) ? ['tieAtStep', 'tieWhen'] : ['untieAtStep', 'untieWhen'];
      throw new TiedError(
        'invalid-argument',
        `${argument}[${i}] is ${name}; expected ${expected.join(' or ')}, since the change before it ${unties(change) ? 'unties' : 'ties'} as well`,
      );
    }
    if (typeof value !== 'number') continue;
    if (value <= last) throw invalidArgument(`${argument}[${i}].${name}`, value, `a step after ${last}`);
    last = value;
  }
  return changes.length === 1 ? changes[0]! : changes;
}

/** Whether it turns one table into two. */
export const unties = (change: TyingChange): boolean => 'untieAtStep' in change || 'untieWhen' in change;

/** The changes as a list, in whichever form they were given. */
export const changesOf = (tying: TyingSchedule): readonly TyingChange[] =>
  Array.isArray(tying) ? (tying as readonly TyingChange[]) : [tying as TyingChange];

function checkCondition(argument: string, condition: unknown): TyingCondition {
  const {
    inputShare,
    over,
    from = 0,
  } = checkOptions(argument, condition as Partial<Record<string, unknown>>, ['inputShare', 'over', 'from']);
  const [side, share] = onlyOf(`${argument}.inputShare`, 'limit', inputShare, SIDES);
  return {
    inputShare: { [side]: checkRange(`${argument}.inputShare.${side}`, share, 0, 1) } as TyingCondition['inputShare'],
    over: checkInteger(`${argument}.over`, over, 1),
    from: checkInteger(`${argument}.from`, from, 0),
  };
}

/** The one option that is given, and its value. */
function onlyOf<Name extends string>(
  argument: string,
  what: string,
  given: unknown,
  names: readonly Name[],
): [Name, unknown] {
  const options = checkOptions(argument, given as Partial<Record<string, unknown>>, names);
  const [name, ...more] = names.filter((each) => options[each] !== undefined);
  if (name === undefined || more.length > 0) {
    throw new TiedError(
      'invalid-argument',
      `${argument} has ${name === undefined ? `no ${what}` : `more than one ${what}`}; expected one of ${names.join(', ')}`,
    );
  }
  return [name, options[name]];
}

/** A change as the core has it: at a step, or once the mean share of a block is on one side of a limit. */
interface ChangeValues {
  untieAtStep?: number;
  tieAtStep?: number;
  condition?: (typeof CONDITIONS)[number];
  share?: number;
  over?: number;
  from?: number;
}

function valuesOf(change: TyingChange): ChangeValues {
  if ('untieAtStep' in change || 'tieAtStep' in change) return change;
  const { inputShare, over, from = 0 } = 'untieWhen' in change ? change.untieWhen : change.tieWhen;
  const [[condition, share]] = Object.entries(inputShare) as [[(typeof SIDES)[number], number]];
  return { condition, share, over, from };
}

/** The fields of a checked tying with its first change. */
export function tyingValues(tying: Tying | TyingSchedule): FlatOptions {
  if (typeof tying === 'string') return { tying };
  const [change] = changesOf(tying) as [TyingChange];
  const values = Object.entries(valuesOf(change)).map(([name, value]) => [`tying.${name}`, value]);
  return { tying: unties(change) ? 'tied' : 'untied', ...Object.fromEntries(values) };
}

/** The changes after the first, as the core has them. */
export const furtherChanges = (tying: Tying | TyingSchedule): Read<typeof TYING_CHANGE>[] =>
  (typeof tying === 'string' ? [] : changesOf(tying).slice(1)).map((change) => {
    const { untieAtStep = 0, tieAtStep = 0, condition = 'none', share = 0, over = 0, from = 0 } = valuesOf(change);
    return { atStep: untieAtStep + tieAtStep, condition, share, over, from };
  });

function changeOf(untie: boolean, step: number, condition: unknown, share: unknown, over: unknown, from: unknown) {
  const when =
    step > 0 ? step : Object.freeze({ inputShare: Object.freeze({ [String(condition)]: share }), over, from });
  const name = `${untie ? 'untie' : 'tie'}${step > 0 ? 'AtStep' : 'When'}`;
  return Object.freeze({ [name]: when }) as unknown as TyingChange;
}

/** The tying with its first change. */
export function tyingOf(values: FlatOptions): Tying | TyingChange {
  const tying = values['tying'] as Tying;
  const [untie, tie, condition, share, over, from] = PARTS.map((part) => values[`tying.${part}`]);
  const step = (untie as number) + (tie as number);
  return step === 0 && condition === 'none' ? tying : changeOf(tying === 'tied', step, condition, share, over, from);
}

/** Adds the changes after the first, if the core reports any. */
export function withLater(
  tying: Tying | TyingSchedule,
  later: readonly Read<typeof TYING_CHANGE>[],
): Tying | TyingSchedule {
  if (later.length === 0 || typeof tying === 'string') return tying;
  const changes = [...changesOf(tying)];
  for (const { atStep, condition, share, over, from } of later) {
    changes.push(changeOf(!unties(changes.at(-1)!), atStep, condition, share, over, from));
  }
  return Object.freeze(changes);
}
