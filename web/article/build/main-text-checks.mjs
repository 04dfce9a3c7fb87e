/** Sentences of Parts I and II that compare numbers, each with the comparison. */
import { above, all, increasing } from './comparisons.mjs';

/** @type {readonly import('./sentence-checks.mjs').Check[]} "…" stands for a number, a table or a drawing. */
export const mainTextChecks = [
  {
    says: 'The story uses one order of each pair, symmetric scores allow both, and a shared table also repeats each word',
    holds: ({ hero }) => all(hero.words, (_, i) => hero.shared[i][i] > hero.text[i][i]),
  },
  {
    says: 'Names occur in one order only.',
    holds: ({ pairs }) => all(pairs, ({ first, second, backward }) => !/^[A-Z]/.test(first + second) || backward === 0),
  },
  // Section 1
  {
    says: 'At one position, training pulls at the table twice: reading pulls at one row, writing at every row.',
    holds: ({ position: { words, worked } }) => {
      const pulled = (matrix) =>
        words.filter((_, row) => matrix.slice(4 * row, 4 * row + 4).some((element) => element !== 0)).length;
      return (
        pulled(worked.reading) === 1 &&
        pulled(worked.writing) === words.length &&
        all(worked.total, (element, i) => element === worked.reading[i] + worked.writing[i])
      );
    },
  },
  // Section 4
  {
    says: 'each row has its own total',
    holds: ({ explorer }) => explorer.yorkAfterNew !== explorer.newAfterYork,
  },
  // Section 5
  {
    says: 'One nat is the surprise at something to which you gave a chance of 37%.',
    holds: () => Math.round(100 * Math.exp(-1)) === 37,
  },
  {
    says: 'With symmetric scores the limit lies between them: the symmetric floor.',
    holds: ({ floors }) => all(floors, (one) => increasing(one.bigram, one.symmetricLogits, one.unigram)),
  },
  {
    says: 'and symmetry still costs … nats instead of … ; its characters, … instead of …',
    holds: ({ floors }) => all(floors, ({ shuffled, price }) => increasing(0, shuffled, price)),
  },
  {
    says: 'Judge each pair by all the other pairs, and … nats remain for words, … for characters.',
    holds: ({ floors }) => all(floors, ({ heldOut, price }) => increasing(0, heldOut, price)),
  },
  {
    says: 'one is likelier by … bits on average. Chance alone gives',
    holds: ({ cycles }) => increasing(cycles.chance, cycles.affinity),
  },
  {
    says: 'It comes from pairs that run one way: … writes',
    holds: ({ arrow }) => all(arrow.pairs, ({ forward, backward }) => forward > 20 * backward),
  },
  {
    says: 'The more evenly both ways are mixed, the less symmetry costs: a direct path that predicts either neighbor pays nothing.',
    holds: ({ arrow }) => increasing(...arrow.tent.slice(0, 11)) && arrow.either.symmetric - arrow.either.bigram < 1e-9,
  },
  {
    says: 'Trained on the text or on its reverse, it becomes the same table.',
    holds: ({ arrow: { tied, untied } }) => tied.spread < 1e-5 * tied.moved && untied.spread > 0.5,
  },
  // Section 6
  {
    says: 'recites the alphabet: it gives the next letter a probability of … . But once it has reached z, it cannot begin again.',
    holds: ({ alphabet }) => alphabet.probability > 0.99 && alphabet.backwards > 100,
  },
  {
    says: 'The first is done by the rows (1, 0), (5, 3) and (0, 20)',
    holds: ({ odds }) =>
      odds.yorkAfterNew > 0.95 && Math.max(odds.newAfterYork, odds.newAfterNew, odds.yorkAfterYork) < 0.05,
  },
  {
    says: 'It never writes … twice in a row. A tied direct path that writes … as often as Story does must follow it with another one at least … of the time.',
    holds: ({ repeating }) => repeating.wordRepeats === 0 && repeating.below > 0.9 * repeating.tokens,
  },
  {
    says: 'A path that uses all tokens as often as Story does must repeat at least … of them. Story repeats',
    holds: ({ repeating }) => increasing(repeating.repeats, repeating.needed),
  },
  {
    says: 'all of them line breaks and stand-ins for rare words.',
    holds: ({ repeating }) => all(repeating.others, (token) => token === '⏎' || token === '<unk>'),
  },
  {
    says: 'the tied direct path does no better than a model that ignores the current token',
    holds: ({ toy }) => Math.min(toy.tiedNarrow, toy.tiedWide) > toy.unigram - 1e-5,
  },
  // Section 7
  {
    says: 'Tied stays … nats above the bigram floor. Symmetry explains … of them. Nearly all of the rest is the second cost: the scores have no negative eigenvalue',
    holds: ({ lab: { gap, semidefinite } }) =>
      semidefinite.anyWidth - gap.symmetric > 0.9 * (gap.tied - gap.symmetric),
  },
  {
    says: 'Width is no way out: … dimensions still leave … nats, and no width can leave less than … .',
    holds: ({ lab: { gap, semidefinite } }) => increasing(semidefinite.anyWidth, gap.tiedWide),
  },
  {
    says: 'Narrow tables cost more',
    holds: ({ lab: { gap } }) => increasing(1.1 * gap.tied, gap.tiedNarrow),
  },
  {
    says: 'The law for pairs alone is a small part of the cost',
    holds: ({ lab: { gap, semidefinite } }) => semidefinite.lawAdds < 0.2 * (gap.tied - gap.symmetric),
  },
  {
    says: 'Chance has little to do with it',
    holds: ({ lab: { seeds } }) => all(seeds, ({ gaps }) => Math.max(...gaps) - Math.min(...gaps) < 0.01),
  },
  // Section 8
  {
    says: 'A transformer’s first feed-forward part is one, and it can learn more than a map',
    holds: ({ lab: { gap } }) => increasing(gap.tiedMlp, gap.tiedLinear),
  },
  {
    says: 'In our transformers that bends the symmetry only a little.',
    holds: ({ paths: { tied, untied } }) =>
      increasing(0, tied.paths.finalNorm.asymmetry, 0.2 * untied.paths.finalNorm.asymmetry),
  },
  // Section 9
  {
    says: 'One table cost less the wider the model',
    holds: ({ widths: { all, widest } }) => {
      const costs = all.filter(({ width }) => width <= widest.width).map(({ cost }) => -cost);
      return costs.length > 3 && increasing(...costs);
    },
  },
  {
    says: 'A loss 0.1 nats lower is a perplexity about a tenth lower.',
    holds: () => Math.abs(Math.exp(-0.1) - 0.9) < 0.01,
  },
  {
    says: 'At … and … , its cost cannot be told from zero.',
    holds: ({ widths: { wide, widest } }) =>
      !wide.interval.shown && !widest.interval.shown && widest.gained > 0 && wide.costs.every((cost) => cost > 0),
  },
  {
    says: 'What its table alone predicts has a correlation of … with the bigrams. The first MLP raises it to …',
    holds: ({ paths: { tied } }) => increasing(tied.paths.embeddings.correlation, tied.paths.mlp0.correlation),
  },
  {
    says: 'No remedy brought one table level with two',
    holds: ({ experiment }) =>
      all(
        ['tiedMap', 'tiedWide', 'untiedLate', 'tiedInputTimes5', 'tiedScaled'],
        (name) => experiment[name].mean > experiment.untied.mean + 0.03,
      ),
  },
  {
    says: 'Tying cost more on the less frequent tokens',
    holds: ({ readouts }) => readouts.rarer.shown && readouts.rarer.mean > 0,
  },
  {
    says: 'In the run that you see, one table learns later',
    holds: ({ gpt: { furthestApart, steps, difference } }) =>
      furthestApart.tied > furthestApart.untied + 0.5 && furthestApart.step < steps / 4 && Math.abs(difference) < 0.05,
  },
  {
    says: 'end far below the bigram floor of their training text',
    holds: ({ gpt }) => Math.max(gpt.tied.loss, gpt.untied.loss) < gpt.bigram - 0.5,
  },
  {
    says: 'less than word frequencies alone reach, …',
    holds: ({ paths: { tied, chance } }) => increasing(tied.paths.embeddings.correlation, chance.correlation),
  },
  {
    says: 'It learns bigrams in either model, but starts lower in the tied one',
    holds: ({ paths }) =>
      paths.tied.paths.embeddings.correlation < paths.untied.paths.embeddings.correlation &&
      all([paths.tied, paths.untied], (one) =>
        increasing(one.paths.embeddings.correlation, one.paths.mlp0.correlation),
      ),
  },
  {
    says: 'agreement with the bigrams peaks at … and ends at',
    holds: ({ paths }) => increasing(paths.tied.model.correlation, paths.peak.tied),
  },
  {
    says: 'The untied one knew the first text better and forgot more of it.',
    holds: ({ moved: { tied, untied } }) =>
      all(tied.first.before.loss.values, (loss, seed) => loss > untied.first.before.loss.values[seed]) &&
      all(tied.forgotten.values, (rise, seed) => increasing(0, rise, untied.forgotten.values[seed])),
  },
  {
    says: 'Before the move, its confidence on the second was further off.',
    holds: ({ moved: { tied, untied } }) =>
      all(tied.second.before.error.values, (error, seed) => error < untied.second.before.error.values[seed]),
  },
  {
    says: 'Trained until both knew it equally well, the tied one forgot no less.',
    holds: ({ moved: { longer } }) =>
      all(longer.tied.first.before.loss.values, (loss, seed) => Math.abs(loss - longer.untied.first.before.loss.values[seed]) < 0.05) &&
      all(longer.tied.forgotten.values, (rise, seed) => rise >= longer.untied.forgotten.values[seed]),
  },
  {
    says: 'Untied after a third of the steps, a model wins back … of them; after half, …; after two thirds, …. Or let',
    holds: ({ coupling: { gap, third, half, twoThirds } }) =>
      increasing(0, twoThirds.mean, half.mean, third.mean, gap.mean) &&
      [twoThirds, half, third, gap].every(({ values }) => values.every((value) => value > 0)),
  },
  {
    says: 'If only writing does, the loss ends … nats higher than if both do; if only reading does, …',
    holds: ({ coupling: { onlyWriting, onlyReading } }) =>
      onlyWriting.values.every((value, seed) => increasing(0, value, onlyReading.values[seed])),
  },
  // Section 15
  {
    says: 'No line separates the models that tie from those that do not',
    holds: ({ accounting }) => {
      const { list } = accounting.models;
      const saves = (wanted) => list.filter(({ tied }) => tied === wanted).map(({ savedOfUntied }) => savedOfUntied);
      return Math.min(...saves(true)) < Math.max(...saves(false));
    },
  },
  {
    says: 'It takes no position on … of these models and contradicts the makers of … others. So look at the reasons:',
    holds: ({ accounting: { rule } }) => rule.wrong > 1 && rule.optional > 1,
  },
  {
    says: 'if the loss matters most and the model is narrow: one table cost … nats at width',
    holds: ({ widths: { narrowest } }) => narrowest.interval.shown && narrowest.cost > 0.1,
  },
  {
    says: 'A second table used parameters better than a wider shared one in our runs',
    holds: ({ experiment }) => above(experiment.tiedWide, experiment.untied),
  },
  {
    says: 'it helped our models, tied or not, in every run.',
    holds: ({ experiment: { gains } }) =>
      all([...gains.scaledTied.bySeed, ...gains.scaledUntied.bySeed], (gain) => gain > 0),
  },
  // Section 16
  {
    says: 'of the cost, and part of it is chance',
    holds: ({ floors, lab }) => lab.symmetricShare < 0.5 && floors[2].shuffled > 0.1 * floors[2].price,
  },
  {
    says: 'Nearly all of the rest is that the product has no negative eigenvalue: words have to repeat themselves.',
    holds: ({ lab: { semidefinite, gap } }) =>
      semidefinite.anyWidth - gap.symmetric > 0.9 * (gap.tied - gap.symmetric) && semidefinite.anyWidth < gap.tied,
  },
  {
    says: 'True in our models of … , too, in every run; in the one pair of … , neither table is clearly ahead.',
    holds: ({ alignment, whose }) =>
      all(alignment.writing.cosines, (one, seed) => one > alignment.reading.cosines[seed]) && whose.level,
  },
  {
    says: 'False in our runs: a tied model with more parameters than the untied one closed',
    holds: ({ experiment, experimentSizes }) =>
      experimentSizes.tiedWide > experimentSizes.untied && above(experiment.tiedWide, experiment.untied),
  },
  {
    says: 'It is a tendency, with exceptions in both directions: wherever the line is drawn, at least … of … published models are on the wrong side.',
    holds: ({ claims, accounting: { models } }) =>
      claims.leastWrong > 0.1 * models.all && claims.leastWrong < Math.min(models.tied, models.untied),
  },
  {
    says: 'On the bare direct path, nearly. In our transformers it was worse than plain tying',
    holds: ({ lab, experiment }) =>
      lab.gap.tiedLinear < 0.02 * lab.gap.tied && above(experiment.tiedMap, experiment.tied),
  },
  // What to remember
  {
    says: 'one of 256,000 tokens and width 3,072 has 786 million parameters, and two have 1.57 billion',
    holds: () => Math.round((256_000 * 3072) / 1e6) === 786 && ((2 * 256_000 * 3072) / 1e9).toFixed(2) === '1.57',
  },
  {
    says: 'Layers make up for much of it: in our transformers, one table costs … nats at width … , and nothing measurable at … .',
    holds: ({ widths: { narrowest, widest }, experiment, lab }) =>
      narrowest.width < 64 &&
      widest.width > 64 &&
      !widest.interval.shown &&
      increasing(widest.cost, experiment.difference.mean, narrowest.cost, 0.5 * lab.gap.tied),
  },
];
