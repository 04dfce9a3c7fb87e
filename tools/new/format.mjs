// A format of checkpoints: its reader, the bytes that it is recognized by, and its tests.
import { Plan, fromTemplate } from './plan.mjs';

const nextSteps = ({ kebab }) => [
  `npx vitest run --project unit tests/web/checkpoint/${kebab}.test.ts tests/web/checkpoint/kind-of-model.test.ts`,
  'What names its tables, if they are named otherwise than in other formats: web/core/checkpoint/running/namings.ts',
  'Files of it, whole and damaged, for the fuzzer: tests/fuzz/checkpoints.ts and tests/fuzz/files/checkpoint-grammar.ts',
  'What another program makes of the same files: tests/judges; verdicts on published models: tests/web/checkpoint/published-models.test.ts',
  'Its name in docs/pages.md, docs/command.md and README.md, in web/core/checkpoint/directory.ts (EXPECTED), and in the texts of tied-checkpoint',
];

export function planFormat(folder, names) {
  const { kebab, Class, words } = names;
  const plan = new Plan(folder, nextSteps(names));
  // Eight bytes that no other format begins with; the real ones replace them.
  const all = { ...names, signature: `?${kebab}??????`.slice(0, 8) };
  const rooms = 'web/core/checkpoint';
  plan.refuseName(`'${kebab}'`, `${rooms}/file-types.ts`, [`'${kebab}'`]);
  plan.refuseName(`'${kebab}'`, `${rooms}/formats/file-kind.ts`, [`'${kebab}'`, `'${all.signature}'`]);

  plan.create(`${rooms}/formats/${kebab}.ts`, fromTemplate('format/reader.txt', all));
  plan.create(`tests/web/checkpoint/${kebab}.test.ts`, fromTemplate('format/test.txt', all));

  plan.insertBefore(`${rooms}/file-types.ts`, ';', `\n  | '${kebab}'`, 'export type CheckpointFormat');
  plan.insertBefore(`${rooms}/formats/file-kind.ts`, "  | 'text';", `  | '${kebab}'\n`);
  plan.insertBefore(
    `${rooms}/formats/file-kind.ts`,
    "  if (mark.startsWith('\\x93NUMPY'))",
    `  // Fill in: its signature.\n  if (mark.startsWith('${all.signature}')) return '${kebab}';\n`,
  );
  plan.insertBefore(
    'web/elements/checkpoint/checkpoint.strings.ts',
    '  csv: ',
    `  // Fill in: its name in a sentence.\n  '${kebab}': '${words}',\n`,
    'const formats',
  );
  plan.insertBefore('web/core/training/open-file.ts', '  numpy: ', `  '${kebab}': 'a file of ${words}',\n`);
  plan.insertBefore(
    `${rooms}/directory.ts`,
    "import { readNpy } from './formats/npy.js';",
    `import { read${Class} } from './formats/${kebab}.js';\n`,
  );
  plan.insertBefore(
    `${rooms}/directory.ts`,
    "    case 'numpy':",
    `    case '${kebab}':
      return { ...NONE, format: '${kebab}', tensors: await read${Class}(source, signal), sources: [source] };\n`,
    'switch (kind)',
  );
  return plan;
}
