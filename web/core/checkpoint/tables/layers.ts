/** The layers that a model's names number. Of half a million names, what is found of each is kept, and looked for in slices. */
import { pause } from '../../runtime/pause.js';
import { isInLayer, isOfOtherPart } from './families.js';

export interface Layers {
  readonly from: number;
  readonly to: number;
  readonly gap: boolean;
}

const NUMBERED =
  /^(.*?(?:(?:layers?|blocks?|blk|cells?)(?:_?list)?|encoder|decoder|transformer|conformer|stack|stages?|attentions|ffns|(?:^|[./])h))[./_]?(\d+)[./_](.*)$/;
/** Layers stored as one tensor each. */
const UNNUMBERED = /^(.*?(?:^|[./])(?:layers?|blocks?|blk|h))[./](.*)$/;
const RECURRENT = /(?:weight|bias)_(?:ih|hh)_l\d+/;

/** What layers consist of: attention, feed-forward parts, recurrences, convolutions. A part that is called `layer` may be anything. */
const DEPTH =
  /att|ffn|feed_?forward|(?:^|[._/])(?:sa|ff|ffwd|mlp|mixer|mamba\d*|ssm\w*|conv\w*|rnn|\w*lstm\w*|gru|retention|moe|\w*moe|experts?|intermediate|[qkvo]|w[qkvo]|w[123]|wi(?:_\d)?|w?qkv\w*|[qkv]_(?:proj|lin|einsum)|(?:gate|up|down)_proj|gating_einsum|c_fc|fc_?[12]|fc_(?:in|out)|linear_?[12]|lin[12]|key|query|value|receptance|time_mix\w*|channel_mix\w*|temporal_block|eh_proj|to_(?:qkv?|kv?|v|out))(?:[._/]|$)/i;

export interface Member {
  readonly stack: string;
  /** Null: a tensor with those of all layers. */
  readonly number: number | null;
  readonly sub: string;
}

function memberOf(name: string): Member | null {
  const [, stack, number, sub] = NUMBERED.exec(name) ?? [];
  if (stack !== undefined) return { stack, number: Number(number), sub: sub! };
  const [, all, rest] = UNNUMBERED.exec(name) ?? [];
  return all === undefined ? null : { stack: all, number: null, sub: rest! };
}

const memberIn = (name: string): Member | null => (isInLayer(name) ? memberOf(name) : null);

type Members = ReadonlyMap<string, Member | null>;
const known = new WeakMap<readonly string[], Members>();
const AT_ONCE = 10_000;

/** Finds where each of many names is in a layer, while others have their turn. What is here is then known of this list. */
export async function findMembers(names: readonly string[]): Promise<void> {
  const found = new Map<string, Member | null>();
  for (const [at, name] of names.entries()) {
    found.set(name, memberIn(name));
    if (at % AT_ONCE === AT_ONCE - 1) await pause();
  }
  known.set(names, found);
}

const membersOf = (names: readonly string[]): Members =>
  known.get(names) ?? new Map(names.map((name) => [name, memberIn(name)] as const));

/** Names without those that differ from an earlier one by their numbers only: searches for words need no more. */
export async function distinctNames(names: readonly string[]): Promise<readonly string[]> {
  if (names.length <= AT_ONCE) return names;
  const found = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const words = name.replaceAll(/\d+/g, '#');
    if (!found.has(words)) found.set(words, name);
    if (at % AT_ONCE === AT_ONCE - 1) await pause();
  }
  return [...found.values()];
}

const layerOf = ({ stack, number }: Member): string => `${stack}#${number}`;

/** Of names in layers with depth: a number with nothing but a matrix of another kind is no layer. */
export interface Stacked {
  has(name: string): boolean;
  /** Whether it is in such a stack, and in several layers of it or one of the parts that layers have. */
  repeats(name: string): boolean;
  memberOf(name: string): Member | null;
  /** Whether several layers have it, or the only one. */
  isInAll(member: Member): boolean;
}

export function stackedIn(names: readonly string[]): Stacked {
  const deep = new Set<string>();
  const numbers = new Map<string, number>();
  const layers = new Map<string, Set<number | null>>();
  const members = membersOf(names);
  for (const member of members.values()) {
    if (member === null) continue;
    if (DEPTH.test(member.sub) || /att\w*s?$|ffns$/.test(member.stack)) deep.add(layerOf(member));
    const key = `${member.stack}#${member.sub}`;
    numbers.set(key, (numbers.get(key) ?? 0) + 1);
    layers.set(member.stack, (layers.get(member.stack) ?? new Set()).add(member.number));
  }
  // Each name is asked about several times.
  const judged = new Map<string, Member | null>();
  const deepMember = (name: string): Member | null => {
    const before = judged.get(name);
    if (before !== undefined) return before;
    const found = judge(name);
    judged.set(name, found);
    return found;
  };
  const judge = (name: string): Member | null => {
    const member = members.get(name) ?? (members.has(name) ? null : memberIn(name));
    return member !== null && deep.has(layerOf(member)) ? member : null;
  };
  const isTwice = ({ stack, sub }: Member): boolean => numbers.get(`${stack}#${sub}`)! > 1;
  return {
    memberOf: deepMember,
    isInAll: (member) => isTwice(member) || layers.get(member.stack)!.size === 1,
    has: (name) => RECURRENT.test(name) || deepMember(name) !== null,
    repeats: (name) => {
      const member = deepMember(name);
      if (member === null) return RECURRENT.test(name);
      return DEPTH.test(member.sub) || isTwice(member);
    },
  };
}

/** What has a number of its own within a layer, such as a map in a feed-forward part: the layer's number. */
function outerOf({ stack, sub }: Member): Member | null {
  const [, outer, number] = /^(.*?)[./](\d+)[./]/.exec(stack) ?? [];
  return outer === undefined || DEPTH.test(sub) ? null : { stack: outer, number: Number(number), sub };
}

/** The longest range of layers; of an encoder and a decoder, both are ranges of their own. Null: there are none. */
export function layersOf(names: readonly string[]): Layers | null {
  const members = [...membersOf(names)].flatMap(([name, member]) =>
    (member !== null || isInLayer(name)) && !isOfOtherPart(name) ? (member ?? { stack: '', number: 0, sub: name }) : [],
  );
  const own = members.filter((member) => outerOf(member) === null);
  const stacks = new Map<string, Set<number>>();
  for (const member of own.length > 0 ? own : members.map((one) => outerOf(one)!)) {
    const key = member.number === null ? '' : member.stack;
    stacks.set(key, (stacks.get(key) ?? new Set<number>()).add(member.number ?? 0));
  }
  let longest: Set<number> | null = null;
  for (const numbers of stacks.values()) if (longest === null || numbers.size > longest.size) longest = numbers;
  if (longest === null) return null;
  const [from, to] = [Math.min(...longest), Math.max(...longest)];
  return { from, to, gap: from > 0 || to - from + 1 > longest.size };
}
