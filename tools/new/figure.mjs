// A figure: its folder, its tests, and its place in the lists of figures.
import { SetupProblem } from '../lib/steps.mjs';
import { Plan, fromTemplate } from './plan.mjs';

const nextSteps = ({ kebab }) => [
  `npx vitest run --project unit tests/web/elements/${kebab}.test.ts tests/web/elements/settings.test.ts tests/web/elements/every-element/${kebab}.test.ts`,
  `npm run check, then npm test: the browser and package tests that list the figure need a build`,
  'To show it in the article: a tag in web/article/sections/, its script in load-elements.ts, its height by node tools/reserve-heights.mjs',
];

export function planFigure(folder, names) {
  const { kebab, Class, camel } = names;
  // Names that the stub or a list of figures uses for something else.
  const used = fromTemplate('figure/element.txt', { ...names, Class: '', camel: '', kebab: '' });
  if (Class in globalThis || new RegExp(`\\b${Class}\\b`).test(used)) {
    throw new SetupProblem(
      `The figure's class would be ${Class}, which is taken; expected another name. Nothing was written.`,
    );
  }
  const plan = new Plan(folder, nextSteps(names));
  for (const part of ['settings', 'strings', 'styles', 'define']) {
    plan.create(`web/elements/${kebab}/${kebab}.${part}.ts`, fromTemplate(`figure/${part}.txt`, names));
  }
  plan.create(`web/elements/${kebab}/${kebab}.ts`, fromTemplate('figure/element.txt', names));
  plan.create(`web/elements/${kebab}/measure.ts`, fromTemplate('figure/measure.txt', names));
  plan.create(`web/elements/${kebab}/drawing.ts`, fromTemplate('figure/drawing.txt', names));
  plan.create(`tests/web/elements/${kebab}.test.ts`, fromTemplate('figure/test.txt', names));
  plan.create(`tests/web/elements/every-element/${kebab}.test.ts`, fromTemplate('figure/life-test.txt', names));

  const script = `./${kebab}/${kebab}.define.js`;
  plan.listLine('web/elements/index.ts', `export { ${Class} } from '${script}';`, /^export \{/);
  plan.listLine(
    'web/figure-parts.ts',
    `  'tied-${kebab}': () => import('./elements${script.slice(1)}'),`,
    /^ {2}'tied-.*import\(/,
  );

  const lists = 'tests/web/elements';
  plan.listLine(`${lists}/import.test.ts`, `    '${Class}',`, /^ {4}'\w+',$/);
  const imported = `import { ${Class} } from '../../../web/elements/${kebab}/${kebab}.js';`;
  plan.listLine(
    `${lists}/links.test.ts`,
    imported,
    /^import \{ \w+ \} from '\.\.\/\.\.\/\.\.\/web\/elements\/([\w-]+)\/\1\.js';$/,
  );
  plan.listLine(`${lists}/links.test.ts`, `  ${Class},`, /^ {2}\w+,$/, { within: 'const elements = [' });
  for (const part of ['Settings', 'Strings']) {
    plan.insertBefore(
      `${lists}/settings.test.ts`,
      "import '../../../web/elements/index.js';",
      `import { ${camel}${part} } from '../../../web/elements/${kebab}/${kebab}.${part.toLowerCase()}.js';\n`,
    );
  }
  plan.listLine(
    `${lists}/settings.test.ts`,
    `    ['${kebab}', ${camel}Settings, ${camel}Strings],`,
    /^ {4}\['.*Strings\],$/,
  );
  plan.edit(
    `${lists}/settings-cases.txt`,
    (text) => `${text.trimEnd()}\n\n${fromTemplate('figure/settings-cases.txt', names)}`,
  );

  plan.insertBefore('tests/package/package.test.ts', '];', `  '${kebab}',\n`, 'const elements = [');
  plan.insertBefore(
    'tests/browser/targets.test.ts',
    '} as const;',
    `  'tied-${kebab}': '.bar',\n`,
    'const figures = {',
  );
  plan.insertBefore('tests/browser/soak.ts', '];', `  ['tied-${kebab}', {}],\n`, 'const figures:');
  plan.insertBefore(
    'tests/browser/soak.ts',
    '      };',
    `        'tied-${kebab}': (root) => root.querySelector('.bar') !== null,\n`,
    'const shows:',
  );
  return plan;
}
