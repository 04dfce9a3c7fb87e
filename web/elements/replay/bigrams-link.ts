import type { Lab } from '../../core/types.js';
import { bigramsSettings, type TextOrder } from '../bigrams/bigrams.settings.js';
import { inOrder, measureText, openText, storyLength } from '../bigrams/measured-text.js';
import type { MeasuredText, TextQuestion } from '../bigrams/measured-text.js';
import type { Listening } from '../shared/model-twins.js';
import { loadBuiltIn } from '../training-lab/text-source.js';
import { refuseValues, valuesOfLink } from './link-values.js';
import type { Measurement } from './models-link.js';

/** Links to this figure always name its text and its tokenizer; links to training labs also name arms. */
export const isBigramsLink = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.has('text-source') && attributes.has('tokenizer') && !attributes.has('arms');

/** What a link to a figure of the pairs of a text leads to. */
export interface LinkedBigrams {
  readonly name: string;
  /** Whether the text is the reader's own, which links do not contain. */
  readonly own: boolean;
  /** `own`: the reader's text. */
  readonly measure: (
    lab: Lab,
    own: { readonly name: string; readonly text: string } | null,
    listening: Listening,
  ) => Promise<Measurement>;
}

/**
 * Reads such a link the way the figure does. Throws a `RangeError` if the figure would use a value other than the
 * link's.
 */
export function readBigramsLink(attributes: ReadonlyMap<string, string>): LinkedBigrams {
  const values = valuesOfLink(bigramsSettings, attributes, 'a figure of the pairs of a text');
  refuseValues(bigramsSettings, values);
  const { textSource: source, textOrder, ...settings } = values as Record<string, string | number>;
  return {
    name: 'pairs of a text',
    own: source === 'own',
    measure: async (lab, own, { signal, onProgress }) => {
      const question: TextQuestion = { ...(settings as never as TextQuestion), ...(await textOf(String(source), own)) };
      const measured = await measureText(lab, question, { signal, onProgress });
      const drawn = drawnOf(measured, textOrder as TextOrder);
      const { 'Jensen-Shannon divergence': js, 'mutual information': information } = drawn;
      const values = { 'Jensen-Shannon divergence': js!, 'mutual information': information! };
      const ids = await idsOf(lab, question, textOrder as TextOrder, signal);
      return { measured, drawn, anew: { kind: 'pairs', ids, values } };
    },
  };
}

/** The tokens, in the order that the link names. */
async function idsOf(lab: Lab, question: TextQuestion, order: TextOrder, signal: AbortSignal): Promise<Uint32Array> {
  const corpus = await openText(lab, question, signal);
  try {
    return inOrder(await corpus.tokenIds(), order, question.seed);
  } finally {
    corpus.dispose();
  }
}

async function textOf(
  source: string,
  own: { readonly name: string; readonly text: string } | null,
): Promise<Pick<TextQuestion, 'name' | 'text'>> {
  if (source === 'stories') return { name: source, text: { stories: storyLength } };
  if (source === 'own') return own!;
  const { title, text } = await loadBuiltIn(source);
  return { name: title, text };
}

function drawnOf({ tokens, frequent, orders }: MeasuredText, order: TextOrder): Record<string, number | null> {
  const { js, null: chance, mutualInformation, share, cycles } = orders[order]!;
  const pairs = orders[order]!.pairs.flatMap(({ forward, backward }, at) => [
    [`pair ${at + 1}, times`, forward] as const,
    [`pair ${at + 1}, times in the other order`, backward] as const,
  ]);
  return {
    tokens,
    'different tokens': frequent.length,
    'Jensen-Shannon divergence': js,
    'by chance': chance.mean,
    'by chance, standard deviation': chance.standardDeviation,
    'mutual information': mutualInformation,
    'share of it': share,
    ...Object.fromEntries(pairs),
    'affinity of cycles, in bits': cycles.affinity,
    'affinity of cycles by chance': cycles.null.mean,
    'cycles compared': cycles.compared,
    'cycles in one direction only': cycles.oneWay,
  };
}
