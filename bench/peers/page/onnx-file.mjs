// An ONNX file with one product, C = A B: the message of onnx.proto3 with the required fields only.

function variableLength(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

const number = (field, value) => [...variableLength(field * 8), ...variableLength(value)];
const bytes = (field, content) => [...variableLength(field * 8 + 2), ...variableLength(content.length), ...content];
const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);

/** ValueInfoProto of a float matrix. */
function matrix(field, name, rows, columns) {
  const shape = [rows, columns].flatMap((size) => bytes(1, number(1, size)));
  const tensor = [...number(1, 1), ...bytes(2, shape)];
  return bytes(field, [...text(1, name), ...bytes(2, bytes(1, tensor))]);
}

/** ModelProto: [m, k] by [k, n]. */
export function productModel(m, k, n) {
  const node = [...text(1, 'A'), ...text(1, 'B'), ...text(2, 'C'), ...text(4, 'MatMul')];
  const values = [...matrix(11, 'A', m, k), ...matrix(11, 'B', k, n), ...matrix(12, 'C', m, n)];
  const graph = [...bytes(1, node), ...text(2, 'product'), ...values];
  const operators = [...text(1, ''), ...number(2, 13)];
  return new Uint8Array([...number(1, 8), ...bytes(7, graph), ...bytes(8, operators)]);
}
