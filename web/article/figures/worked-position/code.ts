import { rowOf, width, type Position, type Tenths } from './position.js';

/** The position with its values of the moment as programs, which print what the figure shows. */

export type Language = 'javascript' | 'pytorch';

const literal = (tenths: Tenths): string => `[${tenths.map((tenth) => (tenth / 10).toFixed(1)).join(', ')}]`;

const rows = ({ words, table }: Position, comment: string): string =>
  words.map((word, v) => `  ${literal(rowOf(table, v))}, ${comment} ${word}`).join('\n');

const javascript = (position: Position): string => {
  const { words, layers, read, target } = position;
  return `import { loadCore } from 'tied-embeddings';

const table = [
${rows(position, '//')}
];
const layers = ${literal(layers)}; // what the layers add to the row that is read
const [read, target] = [${read}, ${target}]; // ${words[read]!}, ${words[target]!}

const core = await loadCore();
const trainer = core.createTrainer({
  model: { kind: 'transformer', tying: 'tied', vocabSize: ${words.length}, dModel: ${width}, nLayers: 1, nHeads: 1,
    dFeedForward: 1, contextLength: 1, finalNorm: false, biases: 'none' },
  training: { learningRate: 1, batchSize: 1, seed: 0 },
  tokenIds: Uint32Array.of(read, target),
});
const set = (name, rows) =>
  trainer.setMatrix(name, { rows: rows.length, cols: rows[0].length, data: Float32Array.from(rows.flat()) });
set('embedding', table);
set('positions', [layers]); // added where a position is; the layer itself adds nothing
set('layers.0.attention.output.weight', Array(${width}).fill(Array(${width}).fill(0)));
set('layers.0.feed_forward.down.weight', Array(${width}).fill([0]));

const inputs = Uint32Array.of(read);
const { output, input, total } = trainer.gradient({ inputs, targets: Uint32Array.of(target) });
const found = {
  h: trainer.hiddenStates(inputs).at(-1),
  logits: trainer.logits(inputs),
  probabilities: trainer.nextTokenProbabilities({ from: inputs, to: Uint32Array.from(table.keys()) }),
  loss: { data: [trainer.evaluate(Uint32Array.of(read, target)).loss] },
  writing: output,
  reading: input,
  total,
};
for (const [name, { data }] of Object.entries(found)) console.log(name, ...data);
`;
};

const pytorch = (position: Position): string => {
  const { words, layers, read, target } = position;
  return `import torch
from torch import nn

table = torch.tensor([
${rows(position, '#').replace(/^ {2}/gm, '    ').replace(/, #/g, ',  #')}
])
layers = torch.tensor(${literal(layers)})  # what the layers add to the row that is read
read, target = ${read}, ${target}  # ${words[read]!}, ${words[target]!}

embedding = nn.Embedding(${words.length}, ${width})
lm_head = nn.Linear(${width}, ${words.length}, bias=False)
lm_head.weight = embedding.weight  # tied
with torch.no_grad():
    embedding.weight.copy_(table)
# One parameter in one storage; equal copies would drift apart at the first step.
assert lm_head.weight is embedding.weight
assert lm_head.weight.data_ptr() == embedding.weight.data_ptr()

x = embedding(torch.tensor([read]))
h = x + layers
logits = lm_head(h)
loss = nn.functional.cross_entropy(logits, torch.tensor([target]))
(back,) = torch.autograd.grad(loss, x, retain_graph=True)
loss.backward()
total = embedding.weight.grad
reading = torch.zeros_like(total)
reading[read] = back
found = dict(h=h, logits=logits, probabilities=logits.softmax(-1), loss=loss,
             writing=total - reading, reading=reading, total=total)
for name, tensor in found.items():
    print(name, *tensor.detach().flatten().tolist())
`;
};

export const codeOf = (language: Language, position: Position): string =>
  language === 'javascript' ? javascript(position) : pytorch(position);
