import type { LossBand } from '../../core/types.js';
import { circle, diamond, type Sign } from '../../charts/drawing.js';
import { formatNumber, formatWhole } from '../../charts/number-format.js';
import { plot, type Plot } from '../../charts/plot.js';
import { twinKinds, perModel, type PerModel } from '../shared/model-twins.js';
import { bandName, bandRoom } from './band-bars.js';
import type { View } from './view.js';

const nats = (value: number): string => formatNumber(value, { decimals: 2 });

/** Each model has its own sign, for readers who can't tell the colors apart; if two coincide, both are visible. */
export const signs: PerModel<Sign> = { tied: circle(4), untied: diamond(7) };

const bandsOf = ({ measured, at }: Pick<View, 'measured' | 'at'>): PerModel<LossBand>[] => {
  const { tied, untied } = perModel((kind) => measured.reports[kind][at]!.losses.bands);
  return tied.map((band, index) => ({ tied: band, untied: untied[index]! }));
};

/**
 * How much lower or higher the untied model's loss is, on the most frequent tokens and on the rarest predicted ones.
 */
export function gainWords(view: Pick<View, 'texts' | 'measured' | 'at'>): string {
  const { texts } = view;
  const bands = bandsOf(view);
  const words = bands.map(({ tied, untied }) => {
    const gain = tied.loss - untied.loss;
    return gain < 0 ? texts.higher(nats(-gain)) : texts.lower(nats(gain));
  });
  return bands.length < 2 ? '' : texts.gains(words.at(-1)!, words[0]!, formatWhole(bands[0]!.tied.tokens));
}

/** For each band of tokens: the loss of both models, and of a reader who knows only how often tokens occur. */
export function lossPlot(view: View): Plot {
  const { texts, chance, width } = view;
  const [occur, predictions, byChance] = texts.lossHead;
  return plot({
    rows: bandsOf(view),
    width,
    margin: { left: bandRoom(width), right: 16, top: 8 },
    x: { include: [0, 1], nice: true, ticks: width < 420 ? 4 : 7, title: texts.lossAxis },
    y: { each: 34, name: ({ tied }) => bandName(texts, tied) },
    marks: ({ rules, dots, ticks }) => [
      ...twinKinds.map((kind) =>
        dots({ x: (bands) => bands[kind].loss, look: `mark ${kind}`, sign: signs[kind], key: texts.names[kind] }),
      ),
      rules({ x: ({ tied, untied }) => [tied.loss, untied.loss], look: 'between' }),
      chance && ticks({ x: ({ tied }) => tied.chance, look: 'level', key: texts.lossByChance }),
    ],
    describe: ({ tied, untied }) =>
      texts.lossLabel(bandName(texts, tied), formatWhole(tied.tokens), nats(tied.loss), nats(untied.loss)),
    caption: texts.lossTitle,
    head: [occur, predictions, texts.names.tied, texts.names.untied, byChance],
    cells: ({ tied, untied }) => [
      bandName(texts, tied),
      formatWhole(tied.tokens),
      ...[tied, untied].map(withError),
      nats(tied.chance),
    ],
    without: chance ? [] : [4],
  });
}

/** A single prediction has no standard error; in earlier measurements it is null. */
const withError = ({ loss, standardError }: LossBand): string =>
  Number.isFinite(standardError) ? `${nats(loss)} ± ${nats(standardError)}` : nats(loss);
