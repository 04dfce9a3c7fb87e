// Which tensors of a checkpoint are the tables of tokens.
import { nearest } from './command-parts.js';
import { Refusal } from './exit-codes.mjs';

/** What families call the table that reads; a prefix before one of them does not matter. */
const reading = [
  'embedding',
  'wte.weight',
  'wte',
  'embed_tokens.weight',
  'tok_embeddings.weight',
  'word_embeddings.weight',
  'embed_in.weight',
  'shared.weight',
  'embeddings.weight',
  'emb.weight',
  'embedding.weight',
];
const writing = [
  'unembedding',
  'lm_head.weight',
  'lm_head',
  'output.weight',
  'embed_out.weight',
  'predictions.decoder.weight',
  'head.weight',
  'decoder.weight',
];

/**
 * @typedef {{ embedding: string, unembedding: string | null }} TableNames `unembedding`: null where the file has one table for both roles.
 * @param {import('./safetensors.mjs').Directory} directory
 * @param {{ embedding?: string, unembedding?: string }} named By the caller.
 * @returns {TableNames}
 */
export function tableNames({ tensors, metadata }, named) {
  const matrices = [...tensors].filter(([, { shape }]) => shape.length === 2).map(([name]) => name);
  const embedding = named.embedding ?? found(matrices, reading);
  if (embedding === undefined) {
    const largest = [...matrices].sort((a, b) => sizeOf(tensors, b) - sizeOf(tensors, a)).slice(0, 4);
    throw new Refusal(
      `no tensor has a known name of a table of tokens; expected --embedding, the largest are ${largest.join(', ')}`,
    );
  }
  checkThere(tensors, '--embedding', embedding);
  if (named.unembedding !== undefined) {
    checkThere(tensors, '--unembedding', named.unembedding);
    return { embedding, unembedding: named.unembedding === embedding ? null : named.unembedding };
  }
  const others = matrices.filter((name) => name !== embedding && isTable(tensors.get(name), tensors.get(embedding)));
  const unembedding = found(others, writing);
  if (unembedding !== undefined)
    return { embedding, unembedding: metadata[unembedding] === embedding ? null : unembedding };
  // Files of one shared table may name the other role in their metadata.
  const saysTied = Object.values(metadata).includes(embedding);
  const [candidate] = others.filter((name) => !/pos|wpe/i.test(name));
  if (candidate === undefined || saysTied) return { embedding, unembedding: null };
  throw new Refusal(
    `'${candidate}' may be the table that writes tokens; expected --unembedding ${candidate}, or --unembedding ${embedding} where one table has both roles`,
  );
}

/** Whether it has a row of the same width for each token, or a column. */
const isTable = ({ shape }, { shape: of }) => shape.join() === of.join() || shape.join() === [...of].reverse().join();

const found = (names, endings) =>
  endings.flatMap((ending) =>
    names.filter((name) => name === ending || name.endsWith(`.${ending}`) || name.endsWith(`/${ending}`)),
  )[0];

const sizeOf = (tensors, name) => tensors.get(name).bytes;

function checkThere(tensors, flag, name) {
  if (tensors.has(name)) return;
  const close = nearest(name, [...tensors.keys()]);
  throw new Refusal(
    `${flag} is '${name}', which the file does not have${close === null ? '' : `; did you mean ${close}?`}`,
  );
}
