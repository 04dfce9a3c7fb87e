// An option of models or of training: a member with its entry in the table of fields, its public type, its flag, and the tests.
import { Plan, fromTemplate } from './plan.mjs';

// Models first: the usual owner.
const owners = {
  model: {
    config: 'ModelConfig',
    header: 'cpp/model/config.h',
    table: 'cpp/model/config.cpp',
    valid: 'ModelConfig model{.vocab_size = 10, .d_model = 8}',
    check: 'validate(model)',
    type: 'interface AnyModelConfig {',
    flags: 'export const modelOptions',
  },
  training: {
    config: 'TrainingConfig',
    header: 'cpp/training/training_config.h',
    table: 'cpp/training/training_config.cpp',
    valid: 'TrainingConfig training{.learning_rate = 0.1, .batch_size = 4}',
    check: 'validate(training, true)',
    type: 'export interface TrainingConfig {',
    flags: 'export const trainingOptions',
  },
};
export const optionOwners = Object.keys(owners);

const nextSteps = ({ kebab, snake }, of) => [
  'npm run fields, then npm run build: the table in web/core/generated/fields.ts and the wasm modules are printed and compiled from C++.',
  '  Until the first, the test of flags fails (tests/web/command/flags.test.ts); between the two, the old modules are refused.',
  `npx vitest run --project unit tests/web/core/${kebab}.test.ts tests/web/core/option-defaults.test.ts tests/web/command/flags.test.ts`,
  `npm run check: it runs tests/cpp/${of}/test_${snake}.cpp natively`,
  'The mathematics, with values from another program or a closed form; then the range in the table of fields',
  'What depends on another option: web/core/model/model-options.ts or web/core/training/training-options.ts',
];

/** `of`: whose option it is. */
export function planOption(folder, names, of) {
  const { kebab, snake, camel } = names;
  const { config, header, table, type, flags, ...texts } = owners[of];
  const all = { ...names, ...texts, config, header: header.replace('cpp/', ''), of };
  const plan = new Plan(folder, nextSteps(names, of));
  plan.refuseName(snake, header, [` ${snake} = `, ` ${snake}[`, ` ${snake}(`]);
  plan.refuseName(camel, 'web/core/model/types.ts', [` ${camel}?: `, ` ${camel}: `]);
  plan.create(`tests/cpp/${of}/test_${snake}.cpp`, fromTemplate('option/cpp-test.txt', all));
  plan.create(`tests/web/core/${kebab}.test.ts`, fromTemplate('option/test.txt', all));
  plan.listLine(`tests/cpp/${of}/CMakeLists.txt`, `    test_${snake}.cpp`, /^ {4}test_\w+\.cpp$/, {
    within: 'SOURCES',
  });

  // At the end of the members, and of the table: a field stands after those on which its conditions depend.
  plan.insertBefore(
    header,
    of === 'model' ? '\n  std::uint64_t feed_forward_width()' : `\n  friend bool operator==(const ${config}&`,
    `  // Fill in: what it is, its unit, and what 0 means.\n  double ${snake} = 0;\n`,
    `struct ${config} {`,
  );
  plan.insertBefore(
    table,
    '};',
    `    // Fill in: the range, once the mathematics reads it; until then, nobody can set what would have no effect.
    Field{TIED_FIELD(${config}, ${snake})}.range(0, 0).omitted(),\n`,
    'constexpr Field kFields[] = {',
  );
  plan.insertBefore(
    'web/core/model/types.ts',
    '\n}',
    `\n  /** Fill in: what it does, and its unit. Only 0 so far. Default 0. */\n  ${camel}?: number;`,
    type,
  );
  if (of === 'training')
    plan.insertBefore('web/core/training/training-options.ts', "  | 'totalSteps'", `  | '${camel}'\n`);
  plan.insertBefore(
    'command/training-flags.mjs',
    '\n});',
    `\n  // Fill in: its words.\n  ${camel}: '${names.words}',`,
    flags,
  );
  return plan;
}
