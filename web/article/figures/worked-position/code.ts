import { rowOf, width, type Position, type Tenths } from './position.js';

/** The position with its values of the moment as programs, which print what the figure shows. */

export type Language = 'javascript' | 'pytorch';

const literal = (tenths: Tenths): string => `[${tenths.map((tenth) => (tenth / 10).toFixed(1)).join(', ')}]`;

/** Two rows a line, so that the table stays short; each line ends with its words. */
function rows({ words, table }: Position, comment: string, indent: string, last: string): string {
  const lines = Array.from({ length: Math.ceil(words.length / 2) }, (_, line) => {
    const pair = words.map((_word, v) => v).slice(2 * line, 2 * line + 2);
    const isLast = 2 * line + 2 >= words.length;
    return `${pair.map((v) => literal(rowOf(table, v))).join(', ')}${isLast ? last : ','} ${comment} ${pair.map((v) => words[v]!).join(' ')}`;
  });
  return lines.join(`\n${indent}`);
}

const javascript = (position: Position): string => {
  const { words, layers, read, target } = position;
  return `import { loadCore } from 'tied-embeddings';
const table = [${rows(position, '//', '  ', '].flat();')}
const layers = ${literal(layers)}; // what the layers add to the row that is read
const text = Uint32Array.of(${read}, ${target}); // ${words[read]!} ${words[target]!}
const model = { kind: 'transformer', tying: 'tied', vocabSize: ${words.length}, dModel: ${width}, nLayers: 1, nHeads: 1, dFeedForward: ${width},
  contextLength: 1, finalNorm: false, biases: 'none' }, training = { learningRate: 1, batchSize: 1, seed: 0 };
const trainer = (await loadCore()).createTrainer({ model, training, tokenIds: text });
const set = (name, data) => trainer.setMatrix(name, { rows: data.length / ${width}, cols: ${width}, data: Float32Array.from(data) });
set('embedding', table);
set('positions', layers); // added where a position is; the layer itself adds nothing:
for (const part of ['attention.output', 'feed_forward.down']) set(\`layers.0.\${part}.weight\`, Array(${width ** 2}).fill(0));
const [inputs, targets] = [text.subarray(0, 1), text.subarray(1)];
const { output: writing, input: reading, total } = trainer.gradient({ inputs, targets });
const [h, logits] = [trainer.hiddenStates(inputs).at(-1), trainer.logits(inputs)];
const probabilities = trainer.nextTokenProbabilities({ from: inputs, to: Uint32Array.from(Array(${words.length}).keys()) });
const found = { h, logits, probabilities, loss: { data: [trainer.evaluate(text).loss] }, writing, reading, total };
for (const [name, { data }] of Object.entries(found)) console.log(name, ...data);
`;
};

const pytorch = (position: Position): string => {
  const { words, layers, read, target } = position;
  return `from torch import autograd, nn, tensor, zeros_like
table = tensor([${rows(position, ' #', '    ', '])')}
layers = tensor(${literal(layers)})  # what the layers add to the row that is read
read, target = tensor([${read}]), tensor([${target}])  # ${words[read]!} ${words[target]!}
embedding = nn.Embedding.from_pretrained(table, freeze=False)
lm_head = nn.Linear(${width}, ${words.length}, bias=False)
lm_head.weight = embedding.weight  # tied: one parameter in one storage; copies would drift apart at the first step
assert lm_head.weight.data_ptr() == embedding.weight.data_ptr()
x = embedding(read)
h = x + layers
logits = lm_head(h)
loss = nn.functional.cross_entropy(logits, target)
back, total = autograd.grad(loss, (x, embedding.weight))
reading = zeros_like(total).index_add(0, read, back)
names = 'h logits probabilities loss writing reading total'.split()
for name, values in zip(names, (h, logits, logits.softmax(-1), loss, total - reading, reading, total)):
    print(name, *values.flatten().tolist())
`;
};

export const codeOf = (language: Language, position: Position): string =>
  language === 'javascript' ? javascript(position) : pytorch(position);
