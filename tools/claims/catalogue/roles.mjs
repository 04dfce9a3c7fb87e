// Tables of one role: lost ones, packed ones, and those that are read for values or for pairs of tokens.

import { beside, shown } from './entry.mjs';

const steps = [0, 50, 100, 200, 300, 400, 500, 600];
const packings = ['F16', 'Q8_0', 'Q6_K', 'Q5_K_M', 'Q4_K_M', 'Q3_K_M', 'Q2_K', 'mlx-8', 'mlx-6', 'mlx-4', 'mlx-3'];
/** Claims made of the tied and of the untied model. */
const both = (id) => [`${id}-tied`, `${id}-untied`];
const lost = (arm, table, step) => `lost-table(${arm}, lost=${table}, step=${step})`;

/** @type {import('./entry.mjs').Entry[]} */
export const roles = [
  {
    id: 'lost-head',
    title:
      'An untied model that is read as if it were tied predicts worse than guessing, and the better it is, the worse',
    why: 'the author of the criteria knew a first trial of three seeds, in which the loss without the output table rose from 6.24 to 7.48.',
    criteria: [
      [
        'lost-head',
        [
          'without-its-head-worse-than-guessing',
          'without-its-input-worse-than-guessing',
          'the-better-the-worse-without-head',
          'the-better-the-worse-without-input',
          'improves-meanwhile',
          'no-better-than-rows-in-random-order',
          'rows-have-nothing-in-common',
          'tied-loses-nothing',
          'untied-late-loses-less',
          'untied-late-rows-are-nearer',
          'untied-late-beats-guessing-without-head',
        ],
      ],
    ],
    values: [
      shown('lost-head', 'lost-table(untied, lost=unembedding).guessing', 'ln 512 = 6.238'),
      ...steps.flatMap((step) => [
        shown('lost-head', `loss(untied, step=${step})`),
        beside('lost-head', lost('untied', 'unembedding', step)),
        beside('lost-head', lost('untied', 'embedding', step)),
      ]),
      ...['untied', 'untied-late'].flatMap((arm) => [
        beside('lost-head', `lost-table(${arm}, lost=unembedding).cosine`),
        shown('lost-head', `lost-table(${arm}, lost=unembedding).distance`),
      ]),
      ...[400, 600].flatMap((step) => [
        shown('lost-head', `loss(untied-late, step=${step})`),
        shown('lost-head', lost('untied-late', 'unembedding', step)),
        shown('lost-head', lost('untied-late', 'embedding', step)),
      ]),
      shown('lost-head', 'loss(tied)'),
    ],
    missing: 'models whose tables start equal, larger models, and other texts.',
  },
  {
    id: 'table-bits',
    title: 'What sharing a table costs and saves in bits, in the types that llama.cpp and MLX give token tables',
    differs:
      'in the steps of `table-bits`, tied and untied models learn little and nearly alike, so its criteria about two tables fail for lack of a difference, and packing moves their losses by no more than chance. On stories, three bits for every table cost two tables more than a shared one in every seed (0.010 against 0.008 bits per byte), though the shared one is rounded for both roles at once; as with one scale per row. In a Q4_K_M file no difference shows: in two of five seeds, the untied model loses as little with four bits for its input table.',
    why: '`table-bits-stories` was declared after the first jobs of `table-bits`, whose models had learned little in their steps: the same criteria for models that learn more.',
    criteria: ['table-bits', 'table-bits-stories'].map((experiment) => [
      experiment,
      [
        ...['eight-bits-cost-nothing', 'three-bits-cost'].flatMap((id) => both(id)),
        ...['q8-0', 'q4-k-m', 'q3-k-m', 'q2-k'].map((packing) => `tying-saves-${packing}`),
        'a-shared-table-loses-less-q4-k-m',
        'a-shared-table-loses-less-q2-k',
        'a-shared-table-loses-more-mlx-3',
        'two-in-q2-k-beat-one-in-q8-0',
        'two-of-mlx-4-beat-one-of-mlx-8',
        'two-in-q4-k-m-beat-one-in-f16',
      ],
    ]),
    values: ['table-bits', 'table-bits-stories'].flatMap((experiment) =>
      ['tied', 'untied'].flatMap((arm) => [
        shown(experiment, `loss(${arm}).bitsPerByte`),
        shown(experiment, `parameters(${arm})`),
        ...packings.flatMap((packing) => [
          shown(experiment, `packed-loss(${arm}, packing=${packing}).kilobytes`),
          shown(experiment, `packed-loss(${arm}, packing=${packing}).bitsPerByte`),
        ]),
      ]),
    ),
    missing:
      'importance matrices, training with packed tables, and layers in few bits: only the token tables are packed, after training. Ollama’s own quantizer is not among them: its files differ from those of llama.cpp.',
  },
  {
    id: 'value-tables',
    title:
      'Tables that only read: values from the shared table or from one of their own, and how many rows of pairs pay',
    criteria: [
      [
        'value-tables',
        [
          'a-third-role-costs-no-parameters',
          'own-values-are-as-large-as-a-second-table',
          'a-third-role-helps-a-tied-model',
          'own-values-help-a-tied-model',
          'own-values-are-worth-more-than-a-third-role',
          'a-second-table-is-worth-more-than-own-values',
          'own-values-help-an-untied-model',
          'a-third-role-helps-tied-models-less',
          'few-rows-of-pairs-help',
          'more-rows-of-pairs-help',
          'pairs-stop-paying',
          'triples-do-not-pay',
        ],
      ],
    ],
    values: [
      ...['tied', 'tied-values', 'tied-own-values', 'untied', 'untied-values', 'untied-own-values'],
      ...['pairs-256', 'pairs-4096', 'pairs-65536', 'triples-65536'],
    ].map((arm) => shown('value-tables', `loss(${arm})`)),
    missing: 'values projected from the shared table, gates, tables for some layers only, and other texts.',
  },
  {
    id: 'hashed-heads',
    title: 'Several hashed heads tell all pairs of tokens apart with as many numbers: what that is worth',
    why: 'One hash gives many pairs the same row. Published models read several rows with a hash each, side by side, which tell nearly all n-grams apart. Which n-grams share rows depends on the text and the hashes, not on training, so it is an experiment of its own.',
    criteria: [
      [
        'hashed-collisions',
        [
          'one-head-shares-as-chance-says',
          'two-heads-share-as-chance-says',
          'two-heads-share-triples-as-chance-says',
          'one-head-of-few-rows-tells-nothing-apart',
          'four-heads-tell-pairs-apart',
          'four-heads-tell-triples-apart',
        ],
      ],
      [
        'hashed-heads',
        [
          'heads-cost-no-numbers',
          'as-large-as-a-second-table',
          'few-rows-of-pairs-help',
          'four-heads-help-in-few-rows',
          'two-heads-are-enough',
          'eight-heads-are-no-better',
          'a-second-table-is-worth-more',
          'rows-are-worth-more-than-heads',
          'four-heads-help-in-more-rows',
          'heads-gain-less-in-many-rows',
          'rows-stop-paying',
          'four-heads-help-triples',
          'triples-pay-with-heads',
          'wider-models-gain-more',
        ],
      ],
    ],
    values: [
      ...['pairs-512', 'pairs-512-heads-2', 'pairs-512-heads-4', 'pairs-4096', 'pairs-32768'].map((arm) =>
        beside('hashed-collisions', `ngram-collisions(${arm}, band=2)`),
      ),
      ...['triples-4096', 'triples-4096-heads-2', 'triples-4096-heads-4'].map((arm) =>
        beside('hashed-collisions', `ngram-collisions(${arm}, band=3)`),
      ),
      ...[
        ...['tied', 'untied', 'pairs-512', 'pairs-512-heads-2', 'pairs-512-heads-4', 'pairs-512-heads-8'],
        ...['pairs-4096', 'pairs-4096-heads-4', 'pairs-32768', 'pairs-32768-heads-4'],
        ...['triples-4096', 'triples-4096-heads-4'],
      ].map((arm) => shown('hashed-heads', `loss(${arm})`)),
    ],
    differs:
      'telling pairs apart is worth less than having more rows. At width 48 four heads lower the loss in every seed, by 0.02 to 0.03 nats with 512 rows and by 0.04 to 0.06 with 4,096; at width 16, where a head’s part of a row has four numbers, one seed of four is against it with 512 rows, and with 4,096 they gain at most 0.02. Eight times as many rows are worth 0.07 to 0.10 nats more than four heads. From 4,096 rows to 32,768 the narrow model still gains 0.01 to 0.02 nats, the wide one loses up to 0.06. And at width 48 a second table of tokens is worth no more than a table of pairs with four heads and as many numbers in one seed of four, and at most 0.05 nats more in the others; at width 16, 0.10 to 0.16.',
    missing: 'learned scales and gates, heads of different numbers of rows, larger models and other texts.',
  },
  {
    id: 'ngram-places',
    title: 'Rows of pairs added before every layer against rows added at the input only',
    why: 'A recipe for fast small GPTs adds the rows of hashed pairs in every layer, with learned scales, and found that rows added early only do not help. Here they are added without a scale, so that both models have the same parameters. `ngram-places-novels` asks the same of a second text, with two layers. Before it was declared, its author had seen two seeds on speeches and one on sentences of twelve languages, in a random order, with the same signs; where the held-out sentences were in a language that the training part hardly has, rows of pairs were worth nothing.',
    criteria: [
      [
        'ngram-places',
        [
          'every-layer-costs-no-numbers',
          ...['input-helps', 'every-layer-helps-more', 'deeper-gains-more'].flatMap((id) => both(id)),
          'tied-gains-more',
        ],
      ],
      [
        'ngram-places-novels',
        [
          'every-layer-costs-no-numbers',
          ...['input-helps', 'every-layer-helps-more'].flatMap((id) => both(id)),
          'tied-gains-more',
        ],
      ],
    ],
    values: ['ngram-places', 'ngram-places-novels'].flatMap((file) =>
      ['tied', 'untied'].flatMap((tying) =>
        ['', '-input', '-every-layer'].map((places) => shown(file, `loss(${tying}${places})`)),
      ),
    ),
    missing: 'learned scales and gates, tables of their own for each layer, and deeper models.',
    differs:
      'on novels, too, every sign is as declared, but what reading before both layers adds to an untied model, 0.01 to 0.03 nats, three seeds do not decide; nor, on plays, four seeds whether with four layers it is worth more to a tied model.',
  },
];
