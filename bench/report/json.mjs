// The results as a file for version control: one sample per line.

const line = (value) => JSON.stringify(value);

/** JSON of plain results, with one case, contender or sample per line. */
export function asText(data) {
  const { cases, contenders, samples, ...rest } = data;
  const listed = (name, values) => `${line(name)}: [\n${values.map((value) => `    ${line(value)}`).join(',\n')}\n  ]`;
  const head = Object.entries(rest).map(([name, value]) => `${line(name)}: ${line(value)}`);
  const parts = [...head, listed('cases', cases), listed('contenders', contenders), listed('samples', samples)];
  return `{\n  ${parts.join(',\n  ')}\n}\n`;
}
