/** The layers that a model's names number. Of half a million names, what is found of each is kept, and looked for in slices. */
import { inSlices, pause } from '../../runtime/pause.js';
import { isInLayer, isOfOtherPart } from './families.js';

export interface Layers {
  readonly from: number;
  readonly to: number;
  readonly gap: boolean;
}

const NUMBERED =
  /^(.*?(?:(?:layers?|blocks?|blk|cells?)(?:_?list)?|encoder|decoder|transformer|conformer|stack|stages?|attentions|ffns|(?:^|[./])(?:h|(?:en|de)coder_l)))[./_]?(\d+)[./_](.*)$/;
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

export function memberOf(name: string): Member | null {
  const [, stack, number, sub] = NUMBERED.exec(name) ?? [];
  // Marian counts from 1.
  if (stack !== undefined) return { stack, number: Number(number) - Number(stack.endsWith('coder_l')), sub: sub! };
  const [, all, rest] = UNNUMBERED.exec(name) ?? [];
  return all === undefined ? null : { stack: all, number: null, sub: rest! };
}

const memberIn = (name: string): Member | null => (isInLayer(name) ? memberOf(name) : null);

/** Whether it is a part that layers have, in one of them. */
export function isDeepPart(name: string): boolean {
  const member = memberIn(name);
  return member !== null && member.number !== null && DEPTH.test(member.sub);
}

type Members = ReadonlyMap<string, Member | null>;
interface Found {
  readonly members: Members;
  readonly stacked: Stacked;
  readonly layers: Layers | null;
}

const known = new WeakMap<readonly string[], Found>();
const AT_ONCE = 4000;

/** Finds where each of many names is in a layer, while others have their turn. What is here is then known of this list. */
export async function findMembers(names: readonly string[]): Promise<void> {
  if (known.has(names)) return;
  const members = new Map<string, Member | null>();
  const stacks = new Stacks(members);
  const ranges = new Ranges();
  const isDue = inSlices(AT_ONCE);
  for (const name of names) {
    if (isDue()) await pause();
    const member = memberIn(name);
    members.set(name, member);
    stacks.add(member);
    ranges.add(name, member);
  }
  known.set(names, { members, stacked: stacks.found(), layers: ranges.longest() });
}

const membersOf = (names: readonly string[]): Members =>
  known.get(names)?.members ?? new Map(names.map((name) => [name, memberIn(name)] as const));

const FEW = 10_000;

/** Names without those that differ from an earlier one by their numbers only: searches for words need no more. */
export async function distinctNames(names: readonly string[]): Promise<readonly string[]> {
  if (names.length <= FEW) return names;
  const found = new Map<string, string>();
  const isDue = inSlices(AT_ONCE);
  for (const name of names) {
    if (isDue()) await pause();
    const words = name.replaceAll(/\d+/g, '#');
    if (!found.has(words)) found.set(words, name);
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
  const found = known.get(names);
  if (found !== undefined) return found.stacked;
  const members = membersOf(names);
  const stacks = new Stacks(members);
  for (const member of members.values()) stacks.add(member);
  return stacks.found();
}

class Stacks {
  readonly #members: Members;
  readonly #deep = new Set<string>();
  readonly #numbers = new Map<string, number>();
  readonly #layers = new Map<string, Set<number | null>>();

  constructor(members: Members) {
    this.#members = members;
  }

  add(member: Member | null): void {
    if (member === null) return;
    const { stack, sub, number } = member;
    if (DEPTH.test(sub) || /att\w*s?$|ffns$/.test(stack)) this.#deep.add(layerOf(member));
    const key = `${stack}#${sub}`;
    this.#numbers.set(key, (this.#numbers.get(key) ?? 0) + 1);
    const layers = this.#layers.get(stack);
    if (layers === undefined) this.#layers.set(stack, new Set([number]));
    else layers.add(number);
  }

  found(): Stacked {
    const [members, deep, numbers, layers] = [this.#members, this.#deep, this.#numbers, this.#layers];
    // Each name is asked about several times.
    const judged = new Map<string, Member | null>();
    const judge = (name: string): Member | null => {
      const member = members.get(name) ?? (members.has(name) ? null : memberIn(name));
      return member !== null && deep.has(layerOf(member)) ? member : null;
    };
    const deepMember = (name: string): Member | null => {
      const before = judged.get(name);
      if (before !== undefined) return before;
      const found = judge(name);
      judged.set(name, found);
      return found;
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
}

/** What has a number of its own within a layer, such as a map in a feed-forward part: the layer's number. */
function outerOf({ stack, sub }: Member): Member | null {
  const [, outer, number] = /^(.*?)[./](\d+)[./]/.exec(stack) ?? [];
  return outer === undefined || DEPTH.test(sub) ? null : { stack: outer, number: Number(number), sub };
}

/** The longest range of layers; of an encoder and a decoder, both are ranges of their own. Null: there are none. */
export function layersOf(names: readonly string[]): Layers | null {
  const found = known.get(names);
  if (found !== undefined) return found.layers;
  const ranges = new Ranges();
  for (const [name, member] of membersOf(names)) ranges.add(name, member);
  return ranges.longest();
}

class Ranges {
  /** Numbers by stacks: of members, and of what has a number of its own within a layer. */
  readonly #own = new Map<string, Set<number>>();
  readonly #outer = new Map<string, Set<number>>();

  add(name: string, member: Member | null): void {
    if ((member === null && !isInLayer(name)) || isOfOtherPart(name)) return;
    const one = member ?? { stack: '', number: 0, sub: name };
    const outer = outerOf(one);
    const stacks = outer === null ? this.#own : this.#outer;
    const { stack, number } = outer ?? one;
    const key = number === null ? '' : stack;
    const numbers = stacks.get(key);
    if (numbers === undefined) stacks.set(key, new Set([number ?? 0]));
    else numbers.add(number ?? 0);
  }

  longest(): Layers | null {
    let longest: ReadonlySet<number> | null = null;
    for (const numbers of (this.#own.size > 0 ? this.#own : this.#outer).values())
      if (longest === null || numbers.size > longest.size) longest = numbers;
    if (longest === null) return null;
    let [from, to] = [Infinity, 0];
    for (const number of longest) [from, to] = [Math.min(from, number), Math.max(to, number)];
    return { from, to, gap: from > 0 || to - from + 1 > longest.size };
  }
}
