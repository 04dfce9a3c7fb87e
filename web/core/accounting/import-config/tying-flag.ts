/**
 * What a `config.json` says about tying: which of its flags rules, by the family of the model and the version of transformers that wrote
 * the file (docs/tying-flags.md). `importConfig` and `openCheckpoint` both ask here.
 */
import { describeValue } from '../../runtime/errors.js';
import { isRecord } from '../../runtime/validate.js';
import { DEFAULTS, FORCED, WRAPPERS, type Change, type Major, type Rule } from './tying-defaults.js';

export interface SaidTying {
  /** Whether the file describes a model with one table of tokens; null: it does not tell. */
  readonly tied: boolean | null;
  /** Whether a flag decides, and not the default of a class. */
  readonly isStated: boolean;
  /** What decides, to follow 'config.json': 'says tie_word_embeddings: true'. Null if nothing in the file does. */
  readonly says: string | null;
  /** What `says` comes to: `tied`, or a flag that rules in one version while the other's answer is not known; null: two that differ. */
  readonly suggests: boolean | null;
  /** Both answers, in a sentence, where versions of transformers give two or flags differ. */
  readonly disagreement: string | null;
  /** The default that was used, or why the file does not tell. Null if a flag decides, or if there is a disagreement. */
  readonly assumption: string | null;
}

/** Where the configuration of the language model may be nested, in the order of the search. */
const PARTS = ['text_config', 'llm_config', 'language_config', 'decoder'] as const;
/** Models of these forms build the language model from its own configuration in every version, most with code of their own. */
const INNER_FIRST = /(?:^|\.)(?:llm_config|language_config|decoder)\.$/;
/** LFM2 first called its flag so, and still prefers it. */
const OTHER_FLAG = 'tie_embedding';
const FLAG = 'tie_word_embeddings';

type Values = Readonly<Record<string, unknown>>;

/** A configuration, or one nested in it. */
export interface Level {
  /** '' or the names before a field of this level, each with a dot: 'text_config.'. */
  readonly path: string;
  readonly values: Values;
  /** `model_type`, or the one that the configuration around it implies; '' if neither is known. */
  readonly type: string;
}

export interface Levels {
  readonly outer: Level;
  /** The language model's own configuration, if it is nested. */
  readonly inner: Level | null;
}

/** The levels that concern the language model. Of a model that thinks and talks, the part that thinks writes text. */
export function levelsOf(file: Values): Levels {
  const whole: Level = { path: '', values: file, type: nameIn(file, 'model_type') };
  const thinker = partOf(whole, 'thinker_config', `${whole.type}_thinker`);
  const outer = thinker ?? whole;
  for (const name of PARTS) {
    const inner = partOf(outer, name, WRAPPERS.get(outer.type)?.inner ?? '');
    if (inner !== null) return { outer, inner };
  }
  return { outer, inner: null };
}

function partOf(level: Level, name: string, type: string): Level | null {
  const values = own(level.values, name);
  if (!isRecord(values)) return null;
  return {
    path: `${level.path}${name}.`,
    values: values as Values,
    type: nameIn(values as Values, 'model_type') || type,
  };
}

const own = (values: Values, name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined);

function nameIn(values: Values, name: string): string {
  const value = own(values, name);
  return typeof value === 'string' ? value.slice(0, 80) : '';
}

interface Flag {
  readonly path: string;
  /** Null if it is absent, or something else than true or false. */
  readonly value: boolean | null;
  /** What it is: 'tie_word_embeddings is null'. Null if it is absent. */
  readonly is: string | null;
}

/** The flag that counts at this level. */
function flagAt({ values, path: before, type }: Level): Flag {
  const name = type.startsWith('lfm2') && typeof own(values, OTHER_FLAG) === 'boolean' ? OTHER_FLAG : FLAG;
  const [path, value] = [`${before}${name}`, own(values, name)];
  return {
    path,
    value: typeof value === 'boolean' ? value : null,
    is: value === undefined ? null : `${path} is ${describeValue(value)}`,
  };
}

/** What one version makes of the file. */
interface Answer {
  readonly tied: boolean | null;
  /** In brackets, after the answer. */
  readonly why: string;
  /** After 'config.json'; null if nothing in the file decides. */
  readonly says: string | null;
  /** Whether a flag decides. */
  readonly isStated: boolean;
}

export function saidTying(file: Values): SaidTying {
  const levels = levelsOf(file);
  const version = versionOf(file, levels);
  const answers = { 4: inVersion4(levels), 5: inVersion5(levels, version?.major === 5 ? version.minor : null) };
  // A kind that version 4 lacks is read by version 5 alone.
  const isNew = isNewKind(levels);
  const agree = answers[4].tied === answers[5].tied || (isNew && version?.major !== 4);
  // Version 5 never writes false for these.
  const isOlder = version === null && FORCED.has(levels.outer.type) && flagAt(levels.outer).value === false;
  const major = version?.major ?? (isOlder ? 4 : isNew ? 5 : null);
  const usual = answers[4].isStated && !isNew ? answers[4] : answers[5];
  const decides = major === null ? (agree ? usual : null) : answers[major];
  // What is no flag is worth a note, too.
  const isClear = agree && !differ(levels) && !Object.values(levels).some(hasNoFlag);
  const tied = decides?.tied ?? null;
  return {
    tied,
    isStated: tied !== null && decides!.isStated,
    ...sayingOf(answers, version, decides),
    disagreement: isClear ? null : bothAnswers(levels, answers, { version, isOlder, tied }),
    assumption: isClear && !usual.isStated ? assumptionOf(levels, usual, isNew) : null,
  };
}

function stated(level: Level): Answer | null {
  const { path, value, is } = flagAt(level);
  if (is === null) return null;
  if (value === null) return unknown(`${is}; expected true or false`);
  return { tied: value, why: is, says: `says ${path}: ${value}`, isStated: true };
}

/** `tied`: undefined if the class is not known, null if it has no default that can be told. */
function byDefault(level: Level, tied: boolean | null | undefined): Answer {
  const { path } = flagAt(level);
  const known = `${String(tied)} is the default of ${kindOf(level)}`;
  if (tied === null) return unknown(`${path} is absent, and the default of ${kindOf(level)} changed within version 5`);
  return tied === undefined
    ? unknown(`${path} is absent, and the default of ${kindOf(level)} is not known here`)
    : { tied, why: `${path} is absent, and ${known}`, says: `leaves ${path} out, and ${known}`, isStated: false };
}

const kindOf = ({ type }: Level): string => (type === '' ? 'this kind of model' : type);

const unknown = (why: string): Answer => ({ tied: null, why, says: null, isStated: false });

/** The language model's own configuration decides. */
function inVersion4({ outer, inner }: Levels): Answer {
  if (inner !== null && INNER_FIRST.test(inner.path) && !WRAPPERS.has(outer.type)) return innerFirst(outer, inner, 4);
  const level = inner ?? outer;
  const type = inner === null ? (WRAPPERS.get(level.type)?.inner ?? level.type) : level.type;
  return stated(level) ?? byDefault(level, defaultOf(type, 4));
}

/** The outermost configuration decides, with exceptions by family and release; `minor` is null if the release is not known. */
function inVersion5(levels: Levels, minor: number | null): Answer {
  const wrapper = WRAPPERS.get(levels.outer.type);
  if (wrapper?.earlier === undefined) return inRelease(levels, wrapper, minor);
  const { changed } = wrapper.earlier;
  const [was, is] = [inRelease(levels, wrapper.earlier, minor), inRelease(levels, wrapper, minor)];
  const side = sideOf(minor, changed);
  if (side !== null) return side === 'before' ? was : is;
  return was.tied === is.tied
    ? is
    : unknown(`up to release 5.${changed[0]} it is ${inWords(was)}, from 5.${changed[1]} ${inWords(is)}`);
}

const inWords = ({ tied, why }: Answer): string => `${tied === null ? 'not known' : word(tied)}, ${why}`;

/** Null if the release is not known, or one between those that were read. */
function sideOf(minor: number | null, [until, from]: Change): 'before' | 'after' | null {
  if (minor === null || (minor > until && minor < from)) return null;
  return minor <= until ? 'before' : 'after';
}

/** Undefined if the class is not in the table; null if releases of version 5 differ, and this is not known to be one of either kind. */
function defaultOf(type: string, major: Major, minor: number | null = null): boolean | null | undefined {
  const known = DEFAULTS.get(type);
  if (known === undefined) return undefined;
  if (major === 4) return known[4] ?? undefined;
  const side = known.changed === undefined ? 'after' : sideOf(minor, known.changed);
  return side === null ? null : known[5] === (side === 'after');
}

function inRelease({ outer, inner }: Levels, by: Rule | undefined, minor: number | null): Answer {
  if (by?.rule === 'never')
    return {
      tied: false,
      why: `a ${outer.type} model is never tied`,
      says: `says model_type: ${outer.type}, a kind that is never tied`,
      isStated: false,
    };
  if (outer.type === 'marian') return ofMarian(outer);
  const around = stated(outer);
  if (inner === null) {
    if (FORCED.has(outer.type)) return ofT5(outer);
    // A file without the nested configuration has the default of its class there.
    const nested = by?.rule === 'inner' ? WRAPPERS.get(outer.type)!.inner : outer.type;
    return around ?? byDefault(outer, by === undefined || by.rule === 'inner' ? defaultOf(nested, 5, minor) : by.tied);
  }
  if (by === undefined && INNER_FIRST.test(inner.path)) return innerFirst(outer, inner, 5, minor);
  const within = (): Answer =>
    FORCED.has(inner.type) ? ofT5(inner) : (stated(inner) ?? byDefault(inner, defaultOf(inner.type, 5, minor)));
  switch (by?.rule) {
    case 'inner':
      return within();
    case 'either': {
      const own = around ?? byDefault(outer, by.tied);
      return own.tied === true ? own : within();
    }
    case 'lifted':
      return around ?? stated(inner) ?? byDefault(outer, by.tied);
    default:
      return around ?? byDefault(outer, by?.tied);
  }
}

/** Whether only version 5 has the class. */
const isNewKind = ({ outer }: Levels): boolean =>
  WRAPPERS.get(outer.type)?.isNew ?? DEFAULTS.get(outer.type)?.[4] === null;

function innerFirst(outer: Level, inner: Level, major: Major, minor: number | null = null): Answer {
  const [around, within] = [stated(outer), stated(inner)];
  if (within === null) return byDefault(inner, defaultOf(inner.type, major, minor));
  return around === null || around.tied === within.tied
    ? within
    : unknown(`${flagsIn(outer, inner)}; which of them its code follows is not known here`);
}

function ofT5({ values, type }: Level): Answer {
  if (own(values, 'scale_decoder_outputs') === false)
    return unknown(
      `it says tied of every ${type} model, and scale_decoder_outputs is false as in T5 1.1, whose published files have two tables`,
    );
  return { ...unknown(`it says so of every ${type} model`), tied: true };
}

/** Not `tie_word_embeddings`: a translator that shares no tables between its stacks is not tied either. */
function ofMarian(level: Level): Answer {
  const name = 'share_encoder_decoder_embeddings';
  const value = own(level.values, name);
  const path = `${level.path}${name}`;
  return typeof value === 'boolean'
    ? { tied: value, why: `${path} is ${value}`, says: `says ${path}: ${value}`, isStated: true }
    : { tied: true, why: `${path} is absent, and true is its default`, says: null, isStated: false };
}

interface Version {
  readonly major: Major;
  /** Of version 5; null if the text does not say. */
  readonly minor: number | null;
  readonly text: string;
}

/** The version of transformers that wrote the file: at the top, or where an older file was nested. Versions before 4 read alike. */
function versionOf(file: Values, { outer, inner }: Levels): Version | null {
  for (const values of [file, outer.values, inner?.values ?? {}]) {
    const text = nameIn(values, 'transformers_version');
    const [, digits, minor] = /^(\d{1,3})(?:\.(\d{1,4})?|$)/.exec(text) ?? [];
    if (digits === undefined || Number(digits) === 0) continue;
    const major = Number(digits);
    return {
      major: major >= 5 ? 5 : 4,
      minor: minor === undefined ? null : major > 5 ? Infinity : Number(minor),
      text,
    };
  }
  return null;
}

function differ({ outer, inner }: Levels): boolean {
  if (inner === null) return false;
  const [around, within] = [flagAt(outer).value, flagAt(inner).value];
  return around !== null && within !== null && around !== within;
}

/** Whether there is something else in its place. */
const hasNoFlag = (level: Level | null): boolean => {
  const flag = level === null ? null : flagAt(level);
  return flag !== null && flag.is !== null && flag.value === null;
};

const flagsIn = (outer: Level, inner: Level): string => [flagAt(outer).is, flagAt(inner).is].join(' and ');

type Saying = Pick<SaidTying, 'says' | 'suggests'>;

/** Where versions differ, each flag with the version in which it rules. */
function sayingOf(answers: Record<Major, Answer>, version: Version | null, decides: Answer | null): Saying {
  const rules = (major: Major): string => `${answers[major].says}, which rules in version ${major} of transformers`;
  const tied = decides?.tied ?? null;
  const [isIn4, isIn5] = [answers[4].isStated, answers[5].isStated];
  if (isIn4 && isIn5 && answers[4].tied !== answers[5].tied) {
    const writer = version === null ? '' : ` (version ${version.text} wrote it)`;
    const newer = rules(5)
      .replace(/^says /, '')
      .replace(' of transformers', '');
    return { says: `${rules(4)}, and ${newer}${writer}`, suggests: tied };
  }
  if (decides !== null) return { says: tied === null ? null : decides.says, suggests: tied };
  const only: Major | null = isIn4 && answers[5].tied === null ? 4 : isIn5 && answers[4].tied === null ? 5 : null;
  return only === null ? { says: null, suggests: null } : { says: rules(only), suggests: answers[only].tied };
}

/** How the file contradicts what was found, in words; null if it does not, or does not tell. */
export function contradictionOf(
  said: Pick<SaidTying, 'tied' | 'says' | 'suggests'>,
  tied: boolean,
  found: string,
): string | null {
  if (said.says === null || said.suggests === tied) return null;
  return `config.json ${said.says}${said.tied === null ? '; ' : ', but '}${found}`;
}

const word = (tied: boolean): string => (tied ? 'tied' : 'untied');

function assumptionOf({ outer, inner }: Levels, { tied, why }: Answer, isNew: boolean): string {
  if (tied === null) return `Whether the model is tied is not known: ${why}.`;
  const level = isNew ? outer : (inner ?? outer);
  const versions = isNew ? 'version 5 of transformers has' : 'versions 4 and 5 of transformers have';
  return `${flagAt(level).path} is absent: ${word(tied)}, as ${versions} it for ${kindOf(level)}.`;
}

function bothAnswers(
  { outer }: Levels,
  answers: Record<Major, Answer>,
  { version, isOlder, tied }: { version: Version | null; isOlder: boolean; tied: boolean | null },
): string {
  if (answers[4].why === answers[5].why) return `Whether the model is tied is not known: ${answers[4].why}.`;
  const phrase = (answer: Answer): string =>
    answer.tied === null ? `it is not known (${answer.why})` : `it is ${word(answer.tied)} (${answer.why})`;
  const two = `Whether the model is tied: in version 4 of transformers ${phrase(answers[4])}; in version 5 ${phrase(answers[5])}.`;
  if (isOlder) return `${two} Version 5 never writes false for ${outer.type}, so an earlier one wrote the file.`;
  if (version === null)
    return answers[4].tied === answers[5].tied
      ? two
      : `${two} The file does not say which version wrote it, so which rules is not known.`;
  const kept = version.major === 5 && tied === true && answers[4].tied === false;
  const but = kept ? ' If it saved a model that had two tables, the weights still have two.' : '';
  return `${two} Version ${version.text} wrote the file.${but}`;
}
