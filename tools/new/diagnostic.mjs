// A diagnostic of a table, in C++ with its verb, or of a trainer, in TypeScript: its declaration, its types, and the lists of verbs.
import { Plan, fromTemplate } from './plan.mjs';

const types = {
  table: 'web/core/diagnostics/types.ts',
  trainer: 'web/core/diagnostics/readout-types.ts',
};
export const diagnosticOwners = Object.keys(types);

const documents =
  'Its definition in docs/science.md, with its source and its row in the table of chance levels; its letters in docs/notation.md';
const metric = 'As a metric of experiments: METRICS in web/core/experiment/metrics.ts, and docs/experiments.md';
const nextSteps = {
  table: ({ kebab, snake, camel }) => [
    `npm run check: it runs tests/cpp/diagnostics/test_${snake}.cpp natively`,
    `npm run build: until then the modules lack the function, and the tests that call ${camel} fail`,
    `npx vitest run --project unit tests/web/core/${kebab}.test.ts tests/web/core/bindings.test.ts tests/web/core/modules.test.ts; npm run size`,
    documents,
    metric,
  ],
  trainer: ({ kebab }) => [
    `npx vitest run --project unit tests/web/core/${kebab}.test.ts tests/web/core/modules.test.ts tests/web/core/left-out.test.ts`,
    'What TypeScript cannot compute in time: a function of cpp/diagnostics, bound in cpp/bindings/bind_readout.cpp',
    documents,
    metric,
  ],
};

/** The files and lists of both. */
function planVerb(plan, names, of, prefix = '') {
  const { kebab } = names;
  const text = (part) => fromTemplate(`diagnostic/${prefix}${part}.txt`, names);
  plan.create(`web/core/diagnostics/${kebab}.ts`, text('verb'));
  plan.create(`tests/web/core/${kebab}.test.ts`, text('test'));
  const [before, last] =
    of === 'table'
      ? ['export interface SimilarityOptions', '  /**\n   * How similar two tables']
      : ['/** How much each layer contributes', '  /**\n   * Leaves each layer out'];
  plan.insertBefore(types[of], before, text('types'));
  plan.insertBefore(types[of], last, text('method'), of === 'table' ? '  spectrum(' : '  lossByFrequency(');
}

function planTable(plan, names) {
  const { snake, camel, Class, CONSTANT, kebab } = names;
  const cpp = 'cpp/diagnostics';
  for (const part of ['h', 'cpp'])
    plan.create(`${cpp}/${snake}.${part}`, fromTemplate(`diagnostic/${part}.txt`, names));
  plan.listLine(`${cpp}/CMakeLists.txt`, `    ${snake}.cpp`, /^ {4}\w+\.cpp$/, { within: 'SOURCES' });
  plan.create(`tests/${cpp}/test_${snake}.cpp`, fromTemplate('diagnostic/cpp-test.txt', names));
  plan.listLine(`tests/${cpp}/CMakeLists.txt`, `    test_${snake}.cpp`, /^ {4}test_\w+\.cpp$/, { within: 'SOURCES' });

  const bind = 'cpp/bindings/bind_diagnostics.cpp';
  plan.listLine(bind, `#include "diagnostics/${snake}.h"`, /^#include "diagnostics\//);
  plan.insertBefore(bind, '// -> the nearest rows.', fromTemplate('diagnostic/bind.txt', names));
  plan.insertBefore(bind, '  bind_diagnostic_work();', `  function("start${Class}", &start_${snake});\n`);
  plan.insertBefore(
    'web/core/runtime/diagnostics-modules.ts',
    '  /** `vector` 0 =',
    `  /** -> ${CONSTANT} */\n  start${Class}(table: Address, rows: number, cols: number): HandleAddress;\n`,
    'export interface DiagnosticsModule',
  );
  const print = 'cpp/fields/print_records.cpp';
  plan.listLine(print, `#include "diagnostics/${snake}.h"`, /^#include "diagnostics\//);
  plan.insertBefore(print, '         // Trainers that are read.', `         printed<${Class}>() +\n`);
  plan.insertBefore(
    'web/core/generated/records.ts',
    'export const LENS_TOTALS',
    `export const ${CONSTANT} = { value: 'number', byChance: 'number', leftOut: 'number' } as const;\n`,
  );
  const verbs = 'web/core/api/core-verbs.ts';
  plan.insertBefore(verbs, '\nexport const CORE_WORK', `import { ${camel} } from '../diagnostics/${kebab}.js';\n`);
  plan.listLine(verbs, `  ${camel},`, /^ {2}\w+,$/, { within: 'export const CORE_WORK' });

  const core = 'tests/web/core';
  plan.insertBefore(`${core}/verbs.ts`, "    core('cka'", `    core('${camel}', () => [copy(EXPLORER), {}]),\n`);
  plan.insertBefore(`${core}/modules.test.ts`, '  cka: (core)', `  ${camel}: (core) => core.${camel}(TABLE),\n`);
  plan.insertBefore(
    `${core}/bad-input-diagnostics.test.ts`,
    "  ...refusalsOfOne('isotropy'",
    `  ...refusalsOfOne('${camel}', (core, table) => core.${camel}(table)),\n`,
  );
  plan.insertBefore(
    'tests/web/api/throws.test.ts',
    "  ['DiagnosticVerbs.isotropy'",
    `  ['DiagnosticVerbs.${camel}', 'not-finite', () => core.${camel}(matrix(1, 1, NaN))],\n`,
  );
  plan.insertBefore(
    'tests/fuzz/grammar/diagnostic-verbs.ts',
    '  cka: {',
    `  ${camel}: {
    names: ['table', 'options'],
    args: (draw) => withOptions(draw, [table(draw, draw.whole(2, 12))], {}),
    gives: gives.record({ value: gives.number, null: gives.number, leftOut: gives.whole }),
  },\n`,
  );
}

function planTrainer(plan, names) {
  const { camel, kebab } = names;
  const verbs = 'web/core/training/trainer-verbs.ts';
  plan.insertBefore(verbs, '\nexport const TRAINER_WORK', `import { ${camel} } from '../diagnostics/${kebab}.js';\n`);
  plan.listLine(verbs, `  ${camel},`, /^ {2}\w+,$/, { within: 'export const TRAINER_WORK' });

  const core = 'tests/web/core';
  plan.insertBefore(
    `${core}/verbs.ts`,
    "    trainer('ablateLayers'",
    `    trainer('${camel}', () => [IDS(), { onProgress: () => {}, signal: new AbortController().signal }]),\n`,
  );
  plan.insertBefore(
    `${core}/modules.test.ts`,
    "  'trainer.ablateLayers'",
    `  'trainer.${camel}': (core) => smallTransformer(core).${camel}(IDS),\n`,
  );
  plan.insertBefore(
    `${core}/left-out.test.ts`,
    '  ablateLayers(trainer, ids)',
    `  ${camel}(trainer, ids) {
    const { tokens, leftOut } = trainer.${camel}(ids);
    return [tokens, leftOut];
  },\n`,
  );
  plan.insertBefore(
    'tests/fuzz/grammar/readout-verbs.ts',
    '  ablateLayers: {',
    `  ${camel}: {
    names: ['tokenIds', 'options'],
    args: (draw, _, on) => [text(draw, on, 2), listening(draw, 'onProgress')],
    gives: gives.record({ value: gives.anyNumber, tokens: gives.whole, leftOut: gives.whole }),
  },\n`,
  );
}

/** `of`: what it measures. */
export function planDiagnostic(folder, names, of) {
  const { camel, Class, snake } = names;
  const plan = new Plan(folder, nextSteps[of](names));
  for (const path of ['web/core/api/core-types.ts', 'web/core/training/trainer-types.ts', ...Object.values(types)]) {
    plan.refuseName(camel, path, [`  ${camel}(`]);
    plan.refuseName(Class, path, [`interface ${Class} `, `type ${Class} `]);
  }
  if (of === 'table') plan.refuseName(`start_${snake}`, 'cpp/bindings/bind_diagnostics.cpp', [`start_${snake}(`]);
  planVerb(plan, names, of, of === 'table' ? '' : 'trainer-');
  if (of === 'table') planTable(plan, names);
  else planTrainer(plan, names);
  return plan;
}
