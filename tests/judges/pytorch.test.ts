// PyTorch itself writes files of every form, type and view; what is read here has its names, its values and its sharing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadCore, type Checkpoint } from '../../web/index.js';
import { filesByPython } from './python.js';

const files = filesByPython('pytorch', 'files of PyTorch');
const core = loadCore({ modules: ['checkpoint'] });

/** Writes each file with torch.save in both forms, and what it holds as JSON. */
const SCRIPT = `
import collections, json, numpy, pickle, sys, torch, torch.nn as nn, torch.nn.utils.prune
folder = sys.argv[1]
torch.manual_seed(1)
V, D = 40, 8

class GPT(nn.Module):
    def __init__(self, tied):
        super().__init__()
        self.wte = nn.Embedding(V, D)
        self.h = nn.ModuleList([nn.ModuleDict({'attn': nn.ModuleDict({'c_proj': nn.Linear(D, D)})}) for _ in range(2)])
        self.ln_f = nn.LayerNorm(D)
        self.lm_head = nn.Linear(D, V, bias=False)
        if tied: self.lm_head.weight = self.wte.weight

def trained(tied):
    model = GPT(tied)
    optimizer = torch.optim.AdamW(model.parameters())
    model.lm_head(model.ln_f(model.wte(torch.arange(V)))).sum().backward()
    optimizer.step()
    return model, optimizer

tied, tied_optimizer = trained(True)
untied, untied_optimizer = trained(False)
tables = {}
for name, kind in [('F64', torch.float64), ('F32', torch.float32), ('F16', torch.float16), ('BF16', torch.bfloat16)]:
    tables[name] = {'wte.weight': untied.wte.weight.detach().to(kind), 'lm_head.weight': untied.lm_head.weight.detach().to(kind)}
wide = torch.randn(V, 2 * D)
values = {
    'tied': tied.state_dict(),
    'untied': untied.state_dict(),
    'compiled': collections.OrderedDict(('_orig_mod.' + name, value) for name, value in tied.state_dict().items()),
    'nanogpt': {'model': tied.state_dict(), 'optimizer': tied_optimizer.state_dict(), 'model_args': {'n_layer': 2}, 'iter_num': 5, 'best_val_loss': torch.tensor(2.5)},
    'averaged': {'model': untied.state_dict(), 'ema': tied.state_dict(), 'optimizer': untied_optimizer.state_dict(), 'epoch': 3},
    'parameters': {'wte.weight': tied.wte.weight, 'lm_head.weight': tied.lm_head.weight},
    'copies': {'wte.weight': wide[:, :D].contiguous(), 'lm_head.weight': wide[:, :D].clone()},
    'transposed': {'embed.W_E': wide[:, :D].contiguous()},
    'columns': {'wte.weight': torch.randn(D, V).t(), 'lm_head.weight': torch.randn(V, D)},
    'parts': {'wte.weight': wide.view(2 * V, D)[:V], 'lm_head.weight': wide.view(2 * V, D)[V:]},
    'gaps': {'wte.weight': wide[:, :D], 'lm_head.weight': wide[:, D:]},
    'integers': {'wte.weight': wide[:, :D].contiguous(), **{str(t): torch.arange(6).view(2, 3).to(t) for t in [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.complex64]}},
    **tables,
}
values['transposed']['unembed.W_U'] = values['transposed']['embed.W_E'].t()
for name, value in values.items():
    torch.save(value, f'{folder}/{name}.zip.pt')
    torch.save(value, f'{folder}/{name}.old.pt', _use_new_zipfile_serialization=False)
    if name != 'nanogpt': torch.save(value, f'{folder}/{name}.four.pt', pickle_protocol=4)
# Read for their verdict only: the head alone in 8 bits, a translator whose generator is apart from its decoder, and models in plain words.
class Recurrent(nn.Module):
    def __init__(self, table, tied):
        super().__init__()
        self.char_emb, self.lstm, self.fc = table, nn.LSTM(D, D, 2), nn.Linear(D, V)
        if tied: self.fc.weight = table.weight
class Side(nn.Module):
    def __init__(self, table, tied):
        super().__init__()
        self.embedding, self.gru = table, nn.GRU(D, D, 2)
        if tied is not None: self.out = nn.Linear(D, V)
        if tied: self.out.weight = table.weight
class Translator(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.embeddings = nn.ModuleDict({'make_embedding': nn.ModuleDict({'emb_luts': nn.ModuleList([table])})})
        self.transformer_layers = nn.ModuleList([nn.ModuleDict({'self_attn': nn.ModuleDict({'linear_keys': nn.Linear(D, D)})}) for _ in range(2)])
for name, model in [('tied', tied), ('untied', untied)]:
    quantized = torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)
    parts = nn.ModuleDict({'encoder': Translator(nn.Embedding(V, D)), 'decoder': Translator(model.wte)})
    generator = nn.Sequential(nn.Linear(D, V), nn.LogSoftmax(-1))
    if name == 'tied': generator[0].weight = model.wte.weight
    translator = {'model': parts.state_dict(), 'generator': generator.state_dict(), 'vocab': None, 'opt': None, 'optim': {}}
    for way, change in [('pruned', lambda head: nn.utils.prune.l1_unstructured(head, 'weight', 0.3)), ('normalized', nn.utils.weight_norm), ('spectral', nn.utils.spectral_norm), ('orthogonal', nn.utils.parametrizations.orthogonal)]:
        changed = GPT(name == 'tied')
        change(changed.lm_head)
        torch.save(changed.state_dict(), f'{folder}/{way}-{name}.zip.pt')
    table = nn.Embedding(V, D)
    answerer = {'en': Side(table, None).state_dict(), 'de': Side(table, name == 'tied').state_dict(), 'embedding': table.state_dict(), 'loss': 1.0}
    recurrent = {'epoch': 3, 'state_dict': Recurrent(nn.Embedding(V, D), name == 'tied').state_dict()}
    for form, settings in [('zip', {}), ('old', {'_use_new_zipfile_serialization': False})]:
        torch.save(quantized.state_dict(), f'{folder}/quantized-{name}.{form}.pt', **settings)
        torch.save(translator, f'{folder}/translator-{name}.{form}.pt', **settings)
        torch.save(recurrent, f'{folder}/recurrent-{name}.{form}.pt', **settings)
        torch.save(answerer, f'{folder}/answerer-{name}.{form}.pt', **settings)
# A table in 8 bits with a scale for all, for each row and for each column, and arrays of NumPy in place of tensors.
wide_rows = wide[:, :D].contiguous()
eight_bits = {
    'scale': torch.quantize_per_tensor(wide_rows, 0.03, 5, torch.quint8),
    'rows': torch.quantize_per_channel(wide_rows, torch.rand(V) * 0.1 + 0.01, torch.arange(V), 0, torch.qint8),
    'columns': torch.quantize_per_channel(wide_rows, torch.rand(D) * 0.1 + 0.01, torch.zeros(D), 1, torch.qint8),
    'floats': torch.quantize_per_channel(wide_rows, torch.rand(V) * 0.1 + 0.01, torch.rand(V) * 9, 0, torch.quint8),
}
for name, table in eight_bits.items():
    torch.save({'wte.weight': table, 'lm_head.weight': wide_rows}, f'{folder}/eight-bits-{name}.zip.pt')
arrays = {'wte': wide.view(2 * V, D)[:V].numpy(), 'head': numpy.asfortranarray(wide[:, D:].numpy().astype('>f8'))}
torch.save(arrays, f'{folder}/arrays.zip.pt')
for protocol in [2, 3, 4, 5]:
    with open(f'{folder}/arrays-{protocol}.zip.pt', 'wb') as file: pickle.dump(arrays, file, protocol)
json.dump({**{name: table.dequantize().flatten().tolist() for name, table in eight_bits.items()}, **{name: array.flatten().tolist() for name, array in arrays.items()}}, open(f'{folder}/rows.json', 'w'))
torch.save(untied, f'{folder}/module.zip.pt')
torch.jit.script(nn.Linear(2, 2)).save(f'{folder}/script.zip.pt')

def numbers(value):
    model = value.get('model', value)
    return {name: {'shape': list(tensor.shape), 'values': tensor.double().flatten().tolist()} for name, tensor in model.items() if tensor.dim() == 2 and tensor.is_floating_point()}
json.dump({name: numbers(value) for name, value in values.items()}, open(f'{folder}/values.json', 'w'))
`;

describe.skipIf(files.isSkipped)(files.title, () => {
  const folder = files.written(SCRIPT);
  let values: Record<string, Record<string, { shape: number[]; values: number[] }>>;
  beforeAll(() => {
    values = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8')) as typeof values;
  });

  const open = async (name: string, form: string): Promise<Checkpoint> =>
    (await core).openCheckpoint(new Uint8Array(readFileSync(join(folder, `${name}.${form}.pt`))));

  const verdicts: readonly (readonly [name: string, tied: boolean | null, evidence: string])[] = [
    ['tied', true, 'same-storage'],
    ['untied', false, 'different'],
    ['compiled', true, 'same-storage'],
    ['nanogpt', true, 'same-storage'],
    ['averaged', false, 'different'],
    ['parameters', true, 'same-storage'],
    ['copies', true, 'equal-bytes'],
    ['transposed', true, 'same-storage'],
    ['columns', false, 'different'],
    ['parts', false, 'different'],
    ['gaps', false, 'different'],
    ['integers', null, 'unknown'],
    ['F64', false, 'different'],
    ['F32', false, 'different'],
    ['F16', false, 'different'],
    ['BF16', false, 'different'],
  ];
  const cases = verdicts.flatMap(([name, tied, evidence]) =>
    ['zip', 'old', 'four'].map((form) => ({ name, form, tied, evidence })),
  );

  test.each(cases.filter(({ name, form }) => name !== 'nanogpt' || form !== 'four'))(
    '$name, in the form $form: tied $tied by $evidence, and every number',
    async ({ name, form, tied, evidence }) => {
      const checkpoint = await open(name, form);
      expect(checkpoint.tying).toMatchObject({ tied, evidence });
      const matrices = values[name]!;
      const theirs = checkpoint.tensors.filter(({ shape, dtype }) => shape.length === 2 && /^B?F\d+$/.test(dtype));
      expect(theirs.map((one) => one.name)).toEqual(Object.keys(matrices));
      for (const one of theirs) {
        const { rows, cols, data } = await checkpoint.matrix(one.name);
        expect([rows, cols]).toEqual(matrices[one.name]!.shape);
        expect(data).toEqual(Float32Array.from(matrices[one.name]!.values));
      }
    },
  ); // prettier-ignore

  test.each([
    ['quantized-tied', false, 'packed-output', "'lm_head', which is packed by PyTorch"],
    ['quantized-untied', false, 'packed-output', "'lm_head', which is packed by PyTorch"],
    ['translator-tied', true, 'same-storage', "'generator.0.weight' are two names of one storage"],
    ['translator-untied', false, 'different', "emb_luts.0.weight' and 'generator.0.weight' differ"],
    ['recurrent-tied', true, 'same-storage', "'char_emb.weight' and 'fc.weight'"],
    ['recurrent-untied', false, 'different', "'char_emb.weight' and 'fc.weight'"],
    ['answerer-tied', true, 'same-storage', "'embedding.weight' and 'de.out.weight'"],
    ['answerer-untied', false, 'different', "'embedding.weight' and 'de.out.weight'"],
  ])('%s: tied %s by %s', async (name, tied, evidence, why) => {
    for (const form of ['zip', 'old']) {
      const { tying } = await open(name, form);
      expect(tying).toMatchObject({ tied, evidence, reason: expect.stringContaining(why) as string });
    }
  });

  test.each([
    ['pruned', 'prune.remove'],
    ['normalized', 'remove_weight_norm'],
    ['spectral', 'remove_spectral_norm'],
    ['orthogonal', 'parametrize.remove_parametrizations'],
  ])('a %s head is not in the file, tied or not before', async (way, undo) => {
    for (const name of ['tied', 'untied']) {
      const { tying } = await open(`${way}-${name}`, 'zip');
      expect(tying).toMatchObject({ tied: null, evidence: 'unknown', candidates: [] });
      expect(tying.reason).toMatch(
        new RegExp(
          `^The output table, 'lm_head\\.weight', is computed from .*; save .* after torch\\.nn\\.utils\\.${undo}\\.$`,
        ),
      );
    }
  });

  const rows = (): Record<string, number[]> =>
    JSON.parse(readFileSync(join(folder, 'rows.json'), 'utf8')) as Record<string, number[]>;

  test.each(['scale', 'rows', 'columns', 'floats'])(
    'a table in 8 bits with %s of its own has PyTorch’s numbers',
    async (name) => {
      const checkpoint = await open(`eight-bits-${name}`, 'zip');
      expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'packed-input' });
      expect((await checkpoint.matrix('input')).data).toEqual(Float32Array.from(rows()[name]!));
    },
  );

  test.each(['arrays', 'arrays-2', 'arrays-3', 'arrays-4', 'arrays-5'])(
    '%s of NumPy have its numbers',
    async (name) => {
      const checkpoint = await open(name, 'zip');
      expect(checkpoint.tying).toMatchObject({ tied: false, evidence: 'different' });
      expect((await checkpoint.matrix('input')).data).toEqual(Float32Array.from(rows().wte!));
      expect((await checkpoint.matrix('output')).data).toEqual(Float32Array.from(rows().head!));
    },
  );

  test('the types of integers', async () => {
    const { tensors } = await open('integers', 'zip');
    expect(tensors.map(({ dtype }) => dtype)).toEqual(['F32', 'I64', 'I32', 'I16', 'I8', 'U8', 'BOOL', 'C64']);
  });

  test.each([
    ['module', /names __main__\.GPT, which may run code in Python and is never run here; expected tensors/],
    ['script', /it is a program of TorchScript \(torch\.jit\.save\); expected the weights/],
  ])('a %s is refused', async (name, message) => {
    await expect(open(name, 'zip')).rejects.toThrow(message);
  });
});
