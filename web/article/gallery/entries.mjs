/**
 * The tags that the gallery shows, by element: attributes with their values, and further ones that are worth knowing. Which elements there are, and what
 * attributes mean, comes from custom-elements.json; what an element shows, from README.md.
 *
 * `weights` is the URL of a file of a tied and an untied model. In a tag to paste it has a name of the reader's; on the gallery's page the figure reads the
 * article's own.
 *
 * @type {Record<string, { attributes: [string, string][], also: string[] }>}
 */
export const galleryEntries = {
  'tied-symmetry-explorer': {
    attributes: [
      ['mode', 'tied'],
      ['tokens', 'New, York, City'],
      ['embedding', '1 0.5; 0.8 0.9; 0.3 1.2'],
    ],
    also: ['view', 'unembedding', 'seed', 'draws'],
  },
  'tied-bigrams': {
    attributes: [
      ['text-source', 'a-year-in-new-york'],
      ['tokenizer', 'character'],
    ],
    also: ['text-order', 'map-values', 'chance', 'seed'],
  },
  'tied-training-lab': {
    attributes: [
      ['text-source', 'a-year-in-new-york'],
      ['tokenizer', 'word'],
      ['arms', 'tied untied'],
      ['d-model', '32'],
    ],
    also: ['model', 'vocab-size', 'steps', 'learning-rate', 'seed'],
  },
  'tied-alignment': { attributes: [['weights', 'models.safetensors']], also: ['method', 'center', 'hold-out', 'word'] },
  'tied-hidden-states': {
    attributes: [['weights', 'models.safetensors']],
    also: ['prompt', 'target', 'place', 'position'],
  },
  'tied-lens': { attributes: [['weights', 'models.safetensors']], also: ['prompt', 'lens', 'chance', 'position'] },
  'tied-direct-path': { attributes: [['seed', '1']], also: ['weights', 'measure', 'chance', 'moment'] },
  'tied-gradient-ledger': { attributes: [['seed', '1']], also: ['weights', 'definition', 'model', 'moment'] },
  'tied-heads': { attributes: [['d-model', '32']], also: ['text-source', 'tokenizer', 'vocab-size', 'steps', 'by'] },
  'tied-seq2seq': {
    attributes: [
      ['task', 'reversal'],
      ['length', '8'],
    ],
    also: ['tyings', 'steps', 'metric', 'seed'],
  },
  'tied-checkpoint': { attributes: [], also: ['src', 'weights', 'prompt', 'temperature', 'tokens'] },
  'tied-experiment': { attributes: [], also: ['src', 'point'] },
  'tied-parameter-calculator': {
    attributes: [['model', 'gpt2']],
    also: ['vocab-size', 'd-model', 'n-layers', 'tying', 'files'],
  },
  'tied-compute-calculator': {
    attributes: [
      ['model', 'llama'],
      ['sequences', '4'],
      ['tokens', '128'],
    ],
    also: ['precision', 'optimizer', 'sampled', 'adaptive'],
  },
  'tied-model-table': { attributes: [['chart', 'saved']], also: ['for', 'sort', 'family', 'tying'] },
  'tied-parameter-map': { attributes: [['order', 'tables']], also: ['scale', 'search', 'all'] },
  'tied-advisor': {
    attributes: [
      ['model', 'gpt2'],
      ['starts-from', 'untied'],
    ],
    also: ['parameter-budget', 'loss-difference', 'precision'],
  },
};
