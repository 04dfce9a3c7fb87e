/** Which tables of an encoder-decoder are one: shared, the encoder's and the decoder's inputs, and the output. */
import type { RolesTying, TyingEvidence } from '../types.js';
import { compareTables, type TyingOptions } from './compare-tables.js';
import { isInLayer, isOfAPart, partsOf, placeOf } from '../tables/families.js';
import { isOfIntegers } from '../elements/stored-types.js';
import type { FoundTables } from '../tables/tables.js';
import type { StoredTensor, TensorDirectory } from '../tensors.js';
import type { Verdict } from './tying.js';
import type { FileFacts } from './other-model.js';

const ENCODER = /(?:^|[./])(?:\w+_)?enc(?:oder)?[./]/;
const DECODER = /(?:^|[./])(?:\w+_)?dec(?:oder)?[./]/;

/** Null for a model that is not an encoder-decoder. */
export async function rolesOf(
  { directory, names }: FileFacts,
  tables: FoundTables,
  found: Verdict,
  options: TyingOptions,
): Promise<RolesTying | null> {
  if (
    found.evidence === 'not-a-language-model' ||
    (tables.chosen.input && tables.chosen.output) ||
    directory.isOneTable === true
  )
    return null;
  const inputs = inputsOf(directory);
  const sides = [ENCODER, DECODER].every((side) =>
    names.some((name) => side.test(name) && !/(?:^|[./])(?:vision|audio)/.test(name)),
  );
  if (!sides || (inputs.shared === null && inputs.decoder === null)) return null;
  const [encoder, decoder] = [inputs.encoder ?? inputs.shared, inputs.decoder ?? inputs.shared];
  const tensors: RolesTying['tensors'] = {
    shared: inputs.shared?.name ?? null,
    'encoder-input': inputs.encoder?.name ?? null,
    'decoder-input': inputs.decoder?.name ?? null,
    output: tables.output?.name ?? null,
  };
  const { output } = tables;
  const ofOutput = async (table: StoredTensor | null): Promise<Known> => {
    if (output !== null) return equal(table, output, options);
    // Without a table of its own, the output has the one that it was found to be tied to.
    if (found.tied !== true || tables.input === null || table === null) return UNKNOWN;
    return table === tables.input ? { tied: true, evidence: found.evidence } : equal(table, tables.input, options);
  };
  const pairs: RolesTying['pairs'] = [
    { roles: ['encoder-input', 'decoder-input'], ...(await equal(encoder, decoder, options)) },
    { roles: ['encoder-input', 'output'], ...(await ofOutput(encoder)) },
    { roles: ['decoder-input', 'output'], ...(await ofOutput(decoder)) },
  ];
  return { tensors, pairs: encoder === null && readsNoTokens(directory) ? pairs.slice(2) : pairs };
}

/** An encoder whose first map is a convolution, over sound or a picture. */
const readsNoTokens = ({ tensors }: TensorDirectory): boolean =>
  [...tensors.values()].some(({ name, shape }) => shape.length > 2 && ENCODER.test(name) && !isInLayer(name));

interface Known {
  readonly tied: boolean | null;
  readonly evidence: TyingEvidence;
}

const UNKNOWN: Known = { tied: null, evidence: 'unknown' };

async function equal(one: StoredTensor | null, other: StoredTensor | null, options: TyingOptions): Promise<Known> {
  if (one === null || other === null) return UNKNOWN;
  if (one === other) return { tied: true, evidence: 'same-storage' };
  const { tied, evidence } = await compareTables(one, other, options);
  return { tied, evidence };
}

function inputsOf({ tensors }: TensorDirectory): Record<'shared' | 'encoder' | 'decoder', StoredTensor | null> {
  const found: Record<'shared' | 'encoder' | 'decoder', StoredTensor | null> = {
    shared: null,
    encoder: null,
    decoder: null,
  };
  for (const tensor of tensors.values()) {
    const place = placeOf(tensor.name, 'input');
    if (place === null || tensor.shape.length !== 2 || tensor.shape.includes(0) || isOfIntegers(tensor.dtype)) continue;
    if (place.rest.length > 1 || isOfAPart(partsOf(tensor.name).stem)) continue;
    const stem = `${place.before.join('.')}.`;
    const side =
      place.role === 'shared' ? 'shared' : DECODER.test(stem) ? 'decoder' : ENCODER.test(stem) ? 'encoder' : null;
    if (side !== null) found[side] ??= tensor;
  }
  return found;
}
