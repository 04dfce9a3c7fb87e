/** The option `tying`: its checks, and its form as numbers of the core. */
import { isRevoked } from '../runtime/arrays.js';
import { invalidArgument, TiedError } from '../runtime/errors.js';
import type { Next } from '../runtime/next-number.js';
import type { Tying, TyingChange, TyingCondition, TyingSchedule } from '../types.js';
import { checkChoice, checkInteger, checkOptions, checkRange, readList } from '../runtime/validate.js';

export const TYINGS: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank'];

const CHANGES = ['untieAtStep', 'tieAtStep', 'untieWhen', 'tieWhen'] as const;
const SIDES = ['above', 'below'] as const;
/** In the order of TyingCondition in model/config.h. */
const CONDITIONS: readonly string[] = ['none', ...SIDES];

/** Limit of the core, defined in model/config.h. */
export const MOST_CHANGES = 8;

export function checkTying(tying: unknown): Tying | TyingSchedule {
  if (typeof tying !== 'object' || tying === null) return checkChoice('model.tying', tying, TYINGS);
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
  const list = readList(given, 1, MOST_CHANGES);
  if (!list) throw invalidArgument(argument, given, `one change, or a list of 1 to ${MOST_CHANGES}`);
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

/** The core's tying, untie_at_step, tie_at_step, tying_condition, tying_share, tying_over and tying_from. */
export interface TyingNumbers {
  first: Tying;
  untieAtStep: number;
  tieAtStep: number;
  condition: number;
  share: number;
  over: number;
  from: number;
}

/** The first change of a checked tying. */
export function tyingNumbers(tying: Tying | TyingSchedule): TyingNumbers {
  const none = { untieAtStep: 0, tieAtStep: 0, condition: 0, share: 0, over: 0, from: 0 };
  if (typeof tying === 'string') return { ...none, first: tying };
  const [change] = changesOf(tying) as [TyingChange];
  const first = unties(change) ? 'tied' : 'untied';
  if ('untieAtStep' in change || 'tieAtStep' in change) return { ...none, first, ...change };
  const { inputShare, over, from = 0 } = 'untieWhen' in change ? change.untieWhen : change.tieWhen;
  const [[side, share]] = Object.entries(inputShare) as [[string, number]];
  return { ...none, first, condition: CONDITIONS.indexOf(side), share, over, from };
}

/** The number of changes after the first, and five numbers of each, as option_numbers.cpp reads them. */
export function furtherNumbers(tying: Tying | TyingSchedule): number[] {
  const further = typeof tying === 'string' ? [] : changesOf(tying).slice(1);
  return [
    further.length,
    ...further.flatMap((change) => {
      const { untieAtStep, tieAtStep, condition, share, over, from } = tyingNumbers(change);
      return [untieAtStep + tieAtStep, condition, share, over, from];
    }),
  ];
}

export function scheduleOf({ first, untieAtStep, tieAtStep, ...met }: TyingNumbers): Tying | TyingChange {
  if (untieAtStep > 0) return Object.freeze({ untieAtStep });
  if (tieAtStep > 0) return Object.freeze({ tieAtStep });
  if (met.condition === 0) return first;
  const condition = conditionOf(met);
  return Object.freeze(first === 'tied' ? { untieWhen: condition } : { tieWhen: condition });
}

function conditionOf({
  condition,
  share,
  over,
  from,
}: Omit<TyingNumbers, 'first' | `${string}AtStep`>): TyingCondition {
  const inputShare = Object.freeze({ [CONDITIONS[condition]!]: share }) as TyingCondition['inputShare'];
  return Object.freeze({ inputShare, over, from });
}

/** Adds the changes after the first, if the core reports any. */
export function withFurther(tying: Tying | TyingSchedule, count: number, next: Next): Tying | TyingSchedule {
  if (count === 0 || typeof tying === 'string') return tying;
  const changes = [...changesOf(tying)];
  while (changes.length <= count) {
    const [step, met] = [next(), { condition: next(), share: next(), over: next(), from: next() }];
    const first = unties(changes.at(-1)!) ? 'untied' : 'tied';
    const at = first === 'tied' ? { untieAtStep: step, tieAtStep: 0 } : { untieAtStep: 0, tieAtStep: step };
    changes.push(scheduleOf({ first, ...at, ...met }) as TyingChange);
  }
  return Object.freeze(changes);
}
