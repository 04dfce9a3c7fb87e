/** Files of torch.save in both forms: valid ones, ones whose pickle would run code in Python, and pickles of any instructions. */
import { joined, uint, utf8 } from '../../web/checkpoint/checkpoint-files.js';
import {
  call,
  dict,
  list,
  name,
  ndarray,
  persistent,
  pickled,
  raw,
  stateDict,
  storageId,
  tensor,
  torchOld,
  torchZip,
  withState,
  type Py,
  type Storage,
} from '../../web/checkpoint/pytorch-files.js';
import type { Draw } from '../draw.js';
import type { CheckpointSample } from './checkpoint-grammar.js';

const FLOATS = [['FloatStorage', 4], ['DoubleStorage', 8], ['HalfStorage', 2], ['BFloat16Storage', 2]] as const; // prettier-ignore
const OTHERS = [['LongStorage', 8], ['ByteStorage', 1], ['BoolStorage', 1], ['ComplexFloatStorage', 8]] as const; // prettier-ignore
const INPUTS = ['wte.weight', 'model.embed_tokens.weight', 'module.tok_embeddings.weight', '_orig_mod.embed_in.weight'];
const OUTPUTS = ['lm_head.weight', 'output.weight', 'embed_out.weight'];

function storageOf(draw: Draw, key: string, elements: number, kinds: readonly (readonly [string, number])[]): Storage {
  const [kind, bytes] = draw.of(kinds);
  return { key, kind, elements, data: Uint8Array.from({ length: elements * bytes }, () => draw.whole(0, 255)) };
}

interface Model {
  readonly value: Py;
  readonly storages: readonly Storage[];
}

/** Two names, of one storage or of two, beside other tensors, and wrapped as programs do. */
function modelOf(draw: Draw): Model {
  const [rows, cols] = [draw.whole(9, 12), draw.whole(1, 8)];
  const input = storageOf(draw, '0', 2 * rows * cols, FLOATS);
  const other = storageOf(draw, '1', rows * cols, FLOATS);
  const extra = storageOf(draw, 'x', 12, [...FLOATS, ...OTHERS]);
  const isOne = draw.odds(0.5);
  const offset = draw.odds(0.3) ? draw.whole(0, rows * cols) : 0;
  const view = (): Py =>
    draw.odds(0.2)
      ? tensor(input, [rows, cols], { strides: [1, rows], offset })
      : tensor(input, [rows, cols], { offset });
  const tensors = stateDict({
    [draw.of(INPUTS)]: view(),
    ...(draw.odds(0.4) ? { 'h.0.attn.c_proj.weight': tensor(extra, draw.of([[3, 4], [2, 2, 3], [12]])) } : {}),
    ...(draw.odds(0.7) ? { [draw.of(OUTPUTS)]: isOne ? view() : tensor(other, [rows, cols]) } : {}),
  }); // prettier-ignore
  const optimizer = dict({ state: dict([[0, dict({ exp_avg: tensor(other, [rows, cols]) })]]), param_groups: list() });
  const value = draw.of<Py>([
    tensors,
    dict({ model: tensors, optimizer, iter_num: draw.whole(0, 99), loss: draw.share() }),
    dict({ state_dict: tensors, ema: dict({ a: tensor(other, [rows, cols]) }), args: call(name('argparse', 'Namespace')) }),
    dict({ module: dict({ model: tensors }), epoch: null }),
  ]); // prettier-ignore
  const bytes = Buffer.from(pickled(value));
  return { value, storages: [input, other, extra].filter((one) => bytes.includes(Buffer.from(storageId(one).bytes))) };
}

const written = (draw: Draw, { value, storages }: Model): Uint8Array =>
  draw.odds(0.5) ? torchOld(value, storages) : torchZip(value, storages, { wide: draw.odds(0.3), comment: draw.of(['', 'PK']) }); // prettier-ignore

const sample = (bytes: Uint8Array): CheckpointSample => ({ files: [{ name: 'model.pt', bytes }], options: {} });

export const pytorchFile = (draw: Draw): CheckpointSample => sample(written(draw, modelOf(draw)));

/** Arrays of NumPy, as pickle.dump writes them: valid ones, and ones whose numbers, shape or type are others. */
export function pickledArrays(draw: Draw): CheckpointSample {
  const [rows, cols] = [draw.whole(9, 12), draw.whole(1, 8)];
  const array = (): Py => {
    const [code, each] = draw.of([['f4', 4], ['f8', 8], ['f2', 2], ['i4', 4], ['b1', 1]] as const); // prettier-ignore
    const elements = draw.odds(0.05) ? draw.whole(0, 200) : rows * cols;
    const data = Uint8Array.from({ length: elements * each }, () => draw.whole(0, 255));
    const how = { code: draw.odds(0.05) ? draw.of(['U5', 'O8', '', 'f3', 'x'.repeat(99)]) : code, order: draw.of(['<', '<', '>', '|'] as const), isFortran: draw.odds(0.3) }; // prettier-ignore
    const shape = draw.odds(0.05) ? draw.of<Py>([[rows], [], [cols, rows, 1], [-1, 2 ** 40], null, [2 ** 40, 2 ** 40]]) : [rows, cols]; // prettier-ignore
    return ndarray(shape, data, { ...how, protocol: draw.of([2, 4, 5]) });
  };
  const words = Array.from({ length: rows }, (_, row) => `w${draw.odds(0.05) ? '' : row}`);
  const value = draw.of<() => Py>([
    array,
    () => dict({ [draw.of(INPUTS)]: array(), [draw.of(OUTPUTS)]: array() }),
    () => [words, array()],
    () => dict({ vectors: array(), index: dict(words.map((word, row) => [word, row] as const)) }),
    () => dict(words.map((word) => [word, array()] as const)),
  ])();
  const bytes = draw.odds(0.3) ? torchZip(value, []) : pickled(value, draw.of([2, 4, 5]));
  return { files: [{ name: 'model.pkl', bytes }], options: {}, isAnything: true };
}

const MODULES = ['os', 'posix', 'builtins', 'subprocess', 'torch', 'torch.storage', 'torch._utils', 'numpy', 'collections', 'stub', '__main__', 'a.b.c']; // prettier-ignore
const CALLED = ['system', 'eval', '__import__', 'Popen', 'load', '_load_from_bytes', 'Stub', 'getattr', 'OrderedDict.fromkeys', 'constructor', '__proto__']; // prettier-ignore

/** Classes with a __reduce__ of their own: each has to be refused by its name. One file in ten has none: a reader that refuses all of them would be noticed. */
export function hostilePickle(draw: Draw): CheckpointSample {
  const { value, storages } = modelOf(draw);
  if (draw.odds(0.1)) return sample(torchZip(pickled(value, 2), storages));
  const [module, called] = [draw.of(MODULES), draw.of(CALLED)];
  const short = (text: string): Uint8Array => raw(0x8c, utf8(text).length, text).bytes;
  const stub = draw.odds(0.5) ? name(module, called) : raw(short(module), short(called), 0x93);
  const made = draw.of<Py>([
    stub,
    call(stub, 'touch gone'),
    raw(stub.bytes, ')', 0x81),
    withState(call(stub), dict({ a: 1 })),
    persistent(['storage', stub, '0', 'cpu', 1]),
    call(name('torch._tensor', '_rebuild_from_type_v2'), stub, null, [], null),
  ]);
  const place = draw.of<Py>([
    made,
    list(value, made),
    dict({ model: value, config: made }),
    dict([[made, value]]),
    withState(value as never, made),
    stateDict({ 'wte.weight': made }),
  ]);
  const bytes = draw.odds(0.5) ? torchOld(place, storages) : torchZip(pickled(place, draw.of([2, 4])), storages);
  return { ...sample(bytes), refusedFor: `names ${module}.${called}, which may run code` };
}

/** Instructions in any order, mostly of those that may stand where they are; in one file of ten, those of a model. */
export function anyPickle(draw: Draw): CheckpointSample {
  const { value, storages } = modelOf(draw);
  const codes = draw.list(draw.whole(1, 60), () =>
    draw.of<() => Uint8Array>([
      () => utf8(draw.of([...'()N]}tauesbRQhq'])),
      () => Uint8Array.of(draw.of([0x80, 0x81, 0x85, 0x86, 0x87, 0x88, 0x8f, 0x90, 0x93, 0x94, 0x95]), draw.whole(0, 255)),
      () => raw('K', draw.whole(0, 255)).bytes,
      () => raw('X', uint(draw.of([1, 1, 1, 0, 9, 2 ** 31]), 4), 'a').bytes,
      () => raw(draw.of(['h', 'q']), draw.whole(0, 6)).bytes,
      () => name(draw.of(['torch', 'torch._utils', 'collections']), draw.of(['FloatStorage', '_rebuild_tensor_v2', 'OrderedDict', 'Size'])).bytes,
      () => storageId(draw.of(storages)).bytes,
      () => tensor(draw.of(storages), [draw.whole(0, 9), draw.whole(0, 9)], { offset: draw.of([0, 1, 2 ** 40]) }).bytes,
      () => raw(0x8a, draw.whole(0, 12), 1, 2, 3).bytes,
      () => Uint8Array.of(draw.whole(0, 255)),
    ])(),
  ); // prettier-ignore
  const code = raw(joined(...codes));
  const any = draw.of<Py>([code, dict({ a: value, b: code }), raw((value as { bytes: Uint8Array }).bytes, code.bytes)]);
  const put = draw.odds(0.1) ? value : any;
  const bytes = draw.odds(0.5) ? torchOld(put, storages) : torchZip(put, storages);
  return { ...sample(bytes), isAnything: true };
}
