/** The option `tying`: its checks, and its form as numbers of the core. */
import { TiedError } from './errors.js';
import type { Tying, TyingCondition, TyingSchedule } from './types.js';
import { checkChoice, checkInteger, checkOptions, checkRange } from './validate.js';

export const TYINGS: readonly Tying[] = ['tied', 'untied', 'tied-linear', 'tied-mlp', 'tied-low-rank'];

const CHANGES = ['untieAtStep', 'tieAtStep', 'untieWhen', 'tieWhen'] as const;
const SIDES = ['above', 'below'] as const;
/** In the order of TyingCondition in model/config.h. */
const CONDITIONS: readonly string[] = ['none', ...SIDES];

export function checkTying(tying: unknown): Tying | TyingSchedule {
  if (typeof tying !== 'object' || tying === null) return checkChoice('model.tying', tying, TYINGS);
  const [change, value] = onlyOf('model.tying', 'change', tying, CHANGES);
  const argument = `model.tying.${change}`;
  const checked = /When$/.test(change) ? checkCondition(argument, value) : checkInteger(argument, value, 1);
  return { [change]: checked } as unknown as TyingSchedule;
}

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

/** What the core calls tying, untie_at_step, tie_at_step, tying_condition, tying_share, tying_over and tying_from. */
export interface TyingNumbers {
  first: Tying;
  untieAtStep: number;
  tieAtStep: number;
  condition: number;
  share: number;
  over: number;
  from: number;
}

/** Of a checked tying. */
export function tyingNumbers(tying: Tying | TyingSchedule): TyingNumbers {
  const none = { untieAtStep: 0, tieAtStep: 0, condition: 0, share: 0, over: 0, from: 0 };
  if (typeof tying === 'string') return { ...none, first: tying };
  if ('untieAtStep' in tying || 'tieAtStep' in tying) {
    return { ...none, first: 'untieAtStep' in tying ? 'tied' : 'untied', ...tying };
  }
  const unties = 'untieWhen' in tying;
  const { inputShare, over, from = 0 } = unties ? tying.untieWhen : tying.tieWhen;
  const [[side, share]] = Object.entries(inputShare) as [[string, number]];
  return { ...none, first: unties ? 'tied' : 'untied', condition: CONDITIONS.indexOf(side), share, over, from };
}

export function scheduleOf({
  first,
  untieAtStep,
  tieAtStep,
  condition,
  share,
  over,
  from,
}: TyingNumbers): Tying | TyingSchedule {
  if (untieAtStep > 0) return Object.freeze({ untieAtStep });
  if (tieAtStep > 0) return Object.freeze({ tieAtStep });
  if (condition === 0) return first;
  const inputShare = Object.freeze({ [CONDITIONS[condition]!]: share }) as TyingCondition['inputShare'];
  const met = Object.freeze({ inputShare, over, from });
  return Object.freeze(first === 'tied' ? { untieWhen: met } : { tieWhen: met });
}
