/** A model card: the trainer's own diagnostics and those of its tables, one after the other. */
import { exp, log } from '../../runtime/elementary.js';
import { cardGradient, pairGradient } from './gradient.js';
import { cardHistory, checkHistory, type CheckedHistory } from './history.js';
import { cardNumber, finite } from './numbers.js';
import { cardMarkdown } from './markdown.js';
import { cardParameters, couplingPolicy, type PolicyFacts } from './policy.js';
import { TableReports } from './tables.js';
import { TiedError } from '../../runtime/errors.js';
import { countsOf, readCounts, type CheckedFrequencies } from '../frequency-options.js';
import { reportGradient } from '../gradient-report.js';
import { chain, link, type Link } from '../../runtime/work-chain.js';
import { layerAblation } from '../layer-ablation.js';
import { lensBlocks, readLayers, type LensBlocks } from '../logit-lens.js';
import { lossesByFrequency } from '../loss-by-frequency.js';
import { checkIdsBelow } from '../../model/options.js';
import { checkReadable } from '../readable.js';
import type { ReadTrainer } from '../readout.js';
import type { LensSummary, Measures } from '../../training/remembered.js';
import { checkLensTraining, lensTraining, type CheckedLensTraining } from '../tuned-lens.js';
import type {
  CardGradient,
  CardLayers,
  CardLoss,
  LayerAblation,
  LensReading,
  LossByFrequency,
  ModelCard,
  ModelCardData,
  ModelCardOptions,
  NotMeasured,
} from '../../types.js';
import { checkInteger, checkOptions, checkSeed, checkTokenIds, LISTENING } from '../../runtime/validate.js';
import { verb } from '../../runtime/verb.js';
import type { Work } from '../../runtime/work.js';
import { VERSION } from '../../runtime/version.js';

const MAX_NULL_RUNS = 1000;

/** What a card needs from a trainer. */
export interface CardTrainer extends ReadTrainer, PolicyFacts {
  readonly model: ReadTrainer['model'];
  /** Bytes of the tokens after the first one; null without a tokenizer, or if one of them is unknown. */
  predictedBytes(tokenIds: Uint32Array): number | null;
}

export interface CheckedCard extends CheckedFrequencies {
  ids: Uint32Array;
  tunedLens: CheckedLensTraining | null;
  history: CheckedHistory | null;
  nullRuns: number;
  seed: number;
}

export const modelCard = verb({
  what: 'model card',
  optionsAt: 0,
  modules: ['diagnostics', 'readout'],
  check(options: ModelCardOptions): CheckedCard {
    const given = checkOptions('options', options, [
      ...['tokenIds', 'counts', 'tunedLens', 'records', 'nullRuns', 'seed'],
      ...LISTENING,
    ]);
    const { tunedLens, nullRuns = 3, seed = 0 } = given;
    return {
      ids: checkTokenIds('options.tokenIds', given.tokenIds, 2).slice(),
      counts: readCounts(given.counts),
      tunedLens: tunedLens === undefined ? null : checkLensTraining('options.tunedLens', tunedLens),
      history: checkHistory(given.records),
      nullRuns: checkInteger('options.nullRuns', nullRuns, 1, MAX_NULL_RUNS),
      seed: checkSeed('options.seed', seed),
    };
  },
  *work(trainer: CardTrainer, checked): Work<ModelCard> {
    checkReadable(trainer, 'gradient');
    trainer.sequences.begin();
    trainer.modules.check('diagnostics', 'readout');
    const builder = new CardBuilder(trainer, checked);
    yield* chain(builder.links());
    return builder.finish();
  },
});

/** Collects what the parts of the work find. */
class CardBuilder {
  readonly #trainer: CardTrainer;
  readonly #options: CheckedCard;
  readonly #counts: Uint32Array;
  readonly #tables: TableReports;
  /** Read before anything is measured, because all parts describe the model at one step. */
  readonly #facts: Pick<ModelCardData, 'step' | 'coupling' | 'parameters'>;
  #layers: LensSummary | null = null;
  #tuned: LensSummary | null = null;
  #lens: LensBlocks | null = null;
  /** Tokens that the tuned lens did not learn from. */
  #undrawn = 0;
  #gradient: CardGradient | null = null;
  #losses: LossByFrequency | null = null;
  #ablation: LayerAblation | null = null;

  constructor(trainer: CardTrainer, options: CheckedCard) {
    const { model, modules } = trainer;
    const { ids, tunedLens, nullRuns, seed } = options;
    checkIdsBelow('options.tokenIds', ids, model.vocabSize);
    if (tunedLens !== null && model.kind !== 'transformer') {
      throw new TiedError(
        'unsupported',
        `the model is of kind '${model.kind}'; expected 'transformer': options.tunedLens reads layers`,
      );
    }
    this.#trainer = trainer;
    this.#options = options;
    this.#counts = countsOf(options, ids, model.vocabSize);
    const [diagnostics, analysis, readout] = [
      modules.get('diagnostics'),
      modules.get('analysis'),
      modules.get('readout'),
    ];
    this.#tables = new TableReports({ trainer, diagnostics, analysis, readout, counts: this.#counts, nullRuns, seed });
    this.#facts = { step: trainer.step, coupling: couplingPolicy(trainer), parameters: cardParameters(trainer) };
  }

  links(): Link[] {
    const trainer = this.#trainer;
    const readout = trainer.modules.get('readout');
    const { ids } = this.#options;
    const { vocabSize, dModel, nLayers = 0 } = trainer.model;
    // Approximate multiplications per token: for the forward pass, and for reading one state.
    const read = vocabSize * dModel;
    const forward = 12 * nLayers * dModel * dModel + read;
    const losses = this.#unlessKnown(
      'losses',
      [ids, this.#counts],
      (found) => (this.#losses = found),
      (keep) => link(ids.length * forward, () => lossesByFrequency(readout, trainer, ids, this.#counts), keep),
    );
    if (trainer.model.kind !== 'transformer') {
      const gradient = link(
        3 * ids.length * forward,
        () => pairGradient(trainer, ids),
        (found) => (this.#gradient = cardGradient(found)),
      );
      return [...losses, gradient, ...this.#tables.links()];
    }
    const layersOf = (lens: LensBlocks | null): Work<LensReading> => readLayers(readout, trainer, ids, lens);
    return [
      ...losses,
      ...this.#unlessKnown(
        'lens',
        [ids],
        (found) => (this.#layers = found),
        (keep) => link(ids.length * (forward + nLayers * read), () => layersOf(null), keep),
      ),
      ...this.#unlessKnown(
        'ablation',
        [ids],
        (found) => (this.#ablation = found),
        (keep) => link(ids.length * (nLayers + 1) * forward, () => layerAblation(readout, trainer, ids), keep),
      ),
      ...this.#tunedLens(forward + 4 * nLayers * read, layersOf),
      ...this.#unlessKnown(
        'gradient',
        [ids],
        (found) => (this.#gradient = cardGradient(found)),
        (keep) =>
          link(ids.length * (3 * forward + read), () => reportGradient(readout, trainer, ids, this.#counts), keep),
      ),
      ...this.#tables.links(),
    ];
  }

  /** No link if the trainer was measured before with the same weights and the same text. */
  #unlessKnown<M extends keyof Measures>(
    measure: M,
    data: readonly Uint32Array[],
    keep: (found: Measures[M]) => void,
    measuring: (keep: (found: Measures[M]) => void) => Link,
  ): Link[] {
    const known = this.#trainer.remembered.find(measure, data);
    if (known === undefined) return [measuring(keep)];
    keep(known);
    return [];
  }

  #tunedLens(perToken: number, layersOf: (lens: LensBlocks | null) => Work<LensReading>): Link[] {
    const { ids, tunedLens } = this.#options;
    if (tunedLens === null) return [];
    const readout = this.#trainer.modules.get('readout');
    return [
      link(
        tunedLens.steps * tunedLens.tokensPerStep * perToken,
        () => lensTraining(readout, this.#trainer, tunedLens),
        (lens) => {
          this.#lens = lensBlocks('the tuned lens', lens);
          this.#undrawn = lens.leftOut;
        },
      ),
      link(
        ids.length * perToken,
        () => layersOf(this.#lens),
        (found) => (this.#tuned = found),
      ),
    ];
  }

  finish(): ModelCard {
    const { ids, seed, counts, history } = this.#options;
    const data: ModelCardData = {
      program: `tied-embeddings ${VERSION}`,
      step: this.#facts.step,
      seed,
      text: { tokens: ids.length, distinct: new Set(ids).size, counts: counts === null ? 'of the text' : 'given' },
      coupling: this.#facts.coupling,
      parameters: this.#facts.parameters,
      layers: this.#cardLayers(),
      gradient: this.#gradient!,
      history: cardHistory(history, this.#trainer.model.vocabSize),
      tables: this.#tables.tables,
      directPath: this.#tables.directPath,
      loss: this.#cardLoss(),
    };
    return { data, markdown: cardMarkdown(data) };
  }

  #cardLayers(): CardLayers | NotMeasured {
    if (this.#layers === null) {
      return { notMeasured: 'A direct path has no layers.' };
    }
    const { ids, tunedLens } = this.#options;
    const tuned = this.#tuned;
    const { chance, leftOut } = this.#layers;
    const { vocabSize } = this.#trainer.model;
    const loss = (value: number | null) => cardNumber(value ?? NaN, 'nats per token', log(vocabSize));
    return {
      tokens: ids.length,
      leftOut,
      lens: tunedLens && {
        tokens: tunedLens.ids.length,
        leftOut: this.#undrawn,
        steps: tunedLens.steps,
        tokensPerStep: tunedLens.tokensPerStep,
        learningRate: tunedLens.learningRate,
        seed: tunedLens.seed,
      },
      layers: this.#layers.layers.map((plain, layer) => ({
        layer,
        divergence: cardNumber(plain.divergence, 'bits', chance),
        loss: loss(plain.loss),
        tunedDivergence: tuned && cardNumber(tuned.layers[layer]!.divergence, 'bits', chance),
        tunedLoss: tuned && loss(tuned.layers[layer]!.loss),
      })),
      ablation: this.#ablation!.layers.map((without, layer) => ({
        layer,
        loss: loss(without.loss),
        increase: cardNumber(without.increase, 'nats per token', 0),
        standardError: finite(without.standardError),
      })),
    };
  }

  #cardLoss(): CardLoss {
    const { loss, chance: fromFrequencies, tokens, leftOut, bands } = this.#losses!;
    const { vocabSize } = this.#trainer.model;
    const chance = log(vocabSize);
    const bytes = this.#trainer.predictedBytes(this.#options.ids);
    return {
      tokens,
      leftOut,
      loss: cardNumber(loss, 'nats per token', chance),
      fromFrequencies: cardNumber(fromFrequencies, 'nats per token', chance),
      perplexity: cardNumber(exp(loss), 'tokens', vocabSize),
      bitsPerByte:
        bytes === null
          ? { notMeasured: 'Without a tokenizer, or with unknown tokens, the bytes of the text are not known.' }
          : cardNumber((loss * tokens) / Math.LN2 / bytes, 'bits per byte'),
      bands: bands.map((band) => ({
        from: band.from,
        to: band.to,
        tokens: band.tokens,
        loss: cardNumber(band.loss, 'nats per token', band.chance),
        standardError: finite(band.standardError),
      })),
    };
  }
}
