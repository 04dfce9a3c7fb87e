import { html, nothing, type TemplateResult } from 'lit';
import type { Cycle, KolmogorovCycles } from '../../core/types.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { dataTable } from '../shared/figure.js';
import type { BigramsStrings } from './bigrams.strings.js';

interface Named {
  readonly texts: BigramsStrings;
  readonly cycles: KolmogorovCycles;
  readonly name: (id: number) => string;
}

/** The number of cycles in the figure; the table has all that were measured. */
const shownCycles = 3;

const bits = (value: number): string => formatNumber(value, { decimals: 2 });

/** "␣ → a → n → ␣" */
const cycleName = ({ texts, name }: Named, { tokens: [a, b, c] }: Cycle): string =>
  texts.cycle(name(a), name(b), name(c));

/** "1 in 170" */
function probability(texts: BigramsStrings, value: number): string {
  if (value === 0) return texts.times('0');
  return value === 1 ? texts.always : texts.oneIn(formatNumber(1 / value, { significant: 2 }));
}

/**
 * How strongly a text prefers one direction around cycles, with the chance level if asked for; or why that cannot be
 * determined.
 */
export function cyclesInWords({ texts, cycles }: Omit<Named, 'name'>, token: string, withChance: boolean): string {
  const { affinity, null: chance } = cycles;
  if (affinity === null) return texts.noCycles(token);
  const spread = [chance.mean, chance.standardDeviation].filter((value) => value !== null);
  const beside =
    chance.mean === null ? texts.cyclesWithoutChance : texts.cyclesByChance(spread.map(bits).join('\u00a0±\u00a0'));
  return texts.cycles(token, bits(affinity), withChance ? beside : '');
}

/** The cycles with the largest flow, and their probabilities in both directions. */
export function cycleList(named: Named): TemplateResult | typeof nothing {
  const { texts, cycles } = named;
  if (cycles.strongest.length === 0) return nothing;
  return html`
    <p class="part-title" id="cycles">${texts.cyclesTitle}</p>
    <ol class="cycles" aria-labelledby="cycles">
      ${cycles.strongest.slice(0, shownCycles).map(
        (cycle) =>
          html`<li>
            <b>${cycleName(named, cycle)}</b>
            <span class="times"
              >${probability(texts, cycle.forward)},
              ${texts.back(cycle.backward === 0 ? '0' : probability(texts, cycle.backward))}</span
            >
          </li>`,
      )}
    </ol>
  `;
}

export function cycleData(named: Named): TemplateResult {
  const { texts, cycles } = named;
  return dataTable({
    caption: texts.dataCycles(formatWhole(cycles.compared), formatWhole(cycles.oneWay)),
    head: texts.dataCyclesHead,
    rows: cycles.strongest.map((cycle) => [
      cycleName(named, cycle),
      probability(texts, cycle.forward),
      probability(texts, cycle.backward),
      cycle.backward === 0 ? texts.noBits : bits(Math.log2(cycle.forward / cycle.backward)),
      formatWhole(cycle.flow),
    ]),
  });
}
