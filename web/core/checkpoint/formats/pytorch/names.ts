/**
 * The names of Python's classes and functions that a pickle may mention: those from which PyTorch builds tensors, and classes that programs keep
 * beside them and that hold data. Nothing is called for any of them. All others are refused, as torch.load refuses them by default.
 */
import { SAFETENSORS_TYPES } from '../../elements/stored-types.js';
import type { NumberType, PyName } from './values.js';

export type Meaning =
  | { readonly is: 'dict' | 'size' | 'tensor' | 'parameter' | 'of-type' | 'quantized' | 'class' }
  /** Of NumPy, and the bytes of its arrays. */
  | { readonly is: 'array' | 'array-of-bytes' | 'array-type' | 'bytes' }
  | { readonly is: 'numbers' | 'storage'; readonly type: NumberType }
  /** Holds data; `hasNumbers`: a matrix, perhaps. */
  | { readonly is: 'other'; readonly hasNumbers: boolean };

const plain = (dtype: string): NumberType => ({ dtype, bytes: SAFETENSORS_TYPES.get(dtype)!.bytes });

/** Types of numbers, by their names in the module torch. */
const NUMBERS: Readonly<Record<string, NumberType>> = {
  ...Object.fromEntries(
    Object.entries({
      float64: 'F64',
      double: 'F64',
      float32: 'F32',
      float: 'F32',
      float16: 'F16',
      half: 'F16',
      bfloat16: 'BF16',
      float8_e4m3fn: 'F8_E4M3',
      float8_e5m2: 'F8_E5M2',
      float8_e4m3fnuz: 'F8_E4M3FNUZ',
      float8_e5m2fnuz: 'F8_E5M2FNUZ',
      float8_e8m0fnu: 'F8_E8M0',
      complex64: 'C64',
      cfloat: 'C64',
      int64: 'I64',
      long: 'I64',
      int32: 'I32',
      int: 'I32',
      int16: 'I16',
      short: 'I16',
      int8: 'I8',
      uint64: 'U64',
      uint32: 'U32',
      uint16: 'U16',
      uint8: 'U8',
      bool: 'BOOL',
    }).map(([name, dtype]) => [name, plain(dtype)]),
  ),
  complex128: { dtype: 'complex128', bytes: 16 },
  complex32: { dtype: 'complex32', bytes: 4 },
  float4_e2m1fn_x2: { dtype: 'float4_e2m1fn_x2', bytes: 1 },
  qint8: { dtype: 'qint8', bytes: 1 },
  quint8: { dtype: 'quint8', bytes: 1 },
  qint32: { dtype: 'qint32', bytes: 4 },
  quint4x2: { dtype: 'quint4x2', bytes: 1 },
  quint2x4: { dtype: 'quint2x4', bytes: 1 },
};

/** Classes of storages, by the type of their numbers. */
const STORAGES: Readonly<Record<string, NumberType>> = Object.fromEntries(
  Object.entries({
    Double: 'double',
    Float: 'float',
    Half: 'half',
    BFloat16: 'bfloat16',
    Long: 'long',
    Int: 'int',
    Short: 'short',
    Char: 'int8',
    Byte: 'uint8',
    Bool: 'bool',
    ComplexFloat: 'complex64',
    ComplexDouble: 'complex128',
    QInt8: 'qint8',
    QUInt8: 'quint8',
    QInt32: 'qint32',
    QUInt4x2: 'quint4x2',
    QUInt2x4: 'quint2x4',
    Untyped: 'uint8',
  }).map(([kind, numbers]) => [`${kind}Storage`, NUMBERS[numbers]!]),
);

const KNOWN: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...['OrderedDict', 'Counter', 'defaultdict'].map((name) => [`collections.${name}`, { is: 'dict' }] as const),
  ['torch.Size', { is: 'size' }],
  ...['_rebuild_tensor', '_rebuild_tensor_v2', '_rebuild_tensor_v3'].map(
    (name) => [`torch._utils.${name}`, { is: 'tensor' }] as const,
  ),
  ['torch._utils._rebuild_qtensor', { is: 'quantized' }],
  ...[
    'torch._utils._rebuild_parameter',
    'torch._utils._rebuild_parameter_with_state',
    'torch.nn.parameter.Parameter',
    'torch.nn.parameter.Buffer',
  ].map((name) => [name, { is: 'parameter' }] as const),
  ['torch._tensor._rebuild_from_type_v2', { is: 'of-type' }],
  ['torch.Tensor', { is: 'class' }],
  ...['numpy.core', 'numpy._core'].flatMap(
    (numpy) =>
      [
        [`${numpy}.multiarray._reconstruct`, { is: 'array' }],
        [`${numpy}.numeric._frombuffer`, { is: 'array-of-bytes' }],
      ] as const,
  ),
  ['numpy.dtype', { is: 'array-type' }],
  ['_codecs.encode', { is: 'bytes' }],
]);

/** Tensors of other kinds: they may be a table, so that none may be overlooked. */
const WITH_NUMBERS =
  /^torch\._utils\._rebuild_(?:sparse_(?:csr_)?tensor|meta_tensor_no_storage|nested_tensor|device_tensor_from_\w+|wrapper_subclass)$|^numpy\.ndarray$/;
/** What programs keep beside a model. */
const BESIDE = new RegExp(
  `^(?:${[
    '(?:builtins|__builtin__)\\.(?:set|frozenset|list|dict|tuple|int|float|bool|str|object|slice|range|complex|bytes|bytearray)',
    'torch\\.(?:device|layout|memory_format|strided|sparse_coo|contiguous_format|per_tensor_affine|per_channel_affine)',
    'torch\\.serialization\\._get_layout',
    'numpy\\.(?:bool_|float\\d+|u?int\\d+|dtypes\\.\\w+DType|_?core\\.multiarray\\.scalar)',
    'argparse\\.Namespace',
    'pathlib\\.(?:_local\\.)?(?:Pure)?(?:Posix|Windows)?Path',
    'datetime\\.(?:datetime|date|time|timedelta|timezone)',
    'typing\\.Any',
    'omegaconf\\.(?:dictconfig\\.DictConfig|listconfig\\.ListConfig|base\\.(?:Container)?Metadata|nodes\\.\\w+Node)',
    '(?:pytorch_lightning|lightning(?:_fabric|\\.pytorch|\\.fabric)?)\\.utilities\\.(?:parsing|data)\\.AttributeDict',
  ].join('|')})$`,
);

/** A pickle names each once and uses it for every tensor. */
const meanings = new WeakMap<PyName, Meaning | null>();

/** Null: a name that may be anything. */
export function meaningOf(of: PyName): Meaning | null {
  let meaning = meanings.get(of);
  if (meaning === undefined) meanings.set(of, (meaning = looked(of)));
  return meaning;
}

function looked({ module, name }: PyName): Meaning | null {
  const whole = `${module}.${name}`;
  // A path to a member of a class may lead anywhere.
  if (name.includes('.')) return null;
  const known = KNOWN.get(whole);
  if (known !== undefined) return known;
  const storage = /^torch(?:\.cuda|\.storage)?$/.test(module) && Object.hasOwn(STORAGES, name) ? STORAGES[name] : null;
  if (storage) return { is: 'storage', type: storage };
  const numbers = module === 'torch' && Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : null;
  if (numbers) return { is: 'numbers', type: numbers };
  if (WITH_NUMBERS.test(whole)) return { is: 'other', hasNumbers: true };
  return BESIDE.test(whole) ? { is: 'other', hasNumbers: false } : null;
}
