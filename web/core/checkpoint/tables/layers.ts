/** The layers that a model's names number. */
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

export function stackedIn(names: Iterable<string>): Stacked {
  const deep = new Set<string>();
  const numbers = new Map<string, number>();
  const layers = new Map<string, Set<number | null>>();
  for (const name of names) {
    const member = isInLayer(name) ? memberOf(name) : null;
    if (member === null) continue;
    if (DEPTH.test(member.sub) || /att\w*s?$|ffns$/.test(member.stack)) deep.add(layerOf(member));
    const key = `${member.stack}#${member.sub}`;
    numbers.set(key, (numbers.get(key) ?? 0) + 1);
    layers.set(member.stack, (layers.get(member.stack) ?? new Set()).add(member.number));
  }
  const deepMember = (name: string): Member | null => {
    const member = isInLayer(name) ? memberOf(name) : null;
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
  const members = names.flatMap((name) =>
    isInLayer(name) && !isOfOtherPart(name) ? (memberOf(name) ?? { stack: '', number: 0, sub: name }) : [],
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
