import { createHash } from 'node:crypto';
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { browserOptions, onlyBuilt, smaller } from '../../tools/build/dist.mjs';
import { withNotices } from '../../tools/build/notices.mjs';
import { baselineFiles } from '../../tools/lib/modules.mjs';
import { hashOfFiles } from '../../tools/lib/stamps.mjs';
import { makeDrawings } from './build/drawings.mjs';
import { computeFacts } from './build/facts.mjs';
import { heroRun } from './build/hero-run.mjs';
import { finishedRun, textOfRun } from './build/finished-run.mjs';
import { headsFacts } from './build/heads-facts.mjs';
import { fontPackages, makeFonts } from './build/fonts.mjs';
import { readTableFacts } from './build/alignment-facts.mjs';
import { arrowFacts } from './build/arrow-facts.mjs';
import { cardFacts } from './build/card-facts.mjs';
import { readCouplingFacts } from './build/coupling-facts.mjs';
import { addGuesses } from './learning/build/guesses.mjs';
import { addPlainSwitches, plainPage, readPlainWords } from './learning/build/plain-words.mjs';
import { claimFacts, quizFacts } from './learning/build/quiz-facts.mjs';
import { glossaryPage, markTerms } from './learning/build/terms.mjs';
import { thumbnails } from './learning/build/thumbnails.mjs';
import { hiddenFacts } from './build/hidden-facts.mjs';
import { recordedAnswers } from './build/recorded-answers.mjs';
import { positionFacts } from './build/position-facts.mjs';
import { pathFacts } from './build/path-facts.mjs';
import { checkSentences } from './build/sentence-checks.mjs';
import { seq2seqFacts } from './build/seq2seq-facts.mjs';
import { ledgerFacts } from './build/ledger-facts.mjs';
import { lensFacts } from './build/lens-facts.mjs';
import { readReadoutFacts } from './build/readout-facts.mjs';
import { readDriftFacts } from './build/drift-facts.mjs';
import { readFilesFacts } from './build/files-facts.mjs';
import { readScaleFacts } from './build/scale-facts.mjs';
import { readLanguagesFacts } from './build/languages-facts.mjs';
import { readLawFacts } from './build/law-facts.mjs';
import { readMaskedFacts } from './build/masked-facts.mjs';
import { readMovedFacts } from './build/moved-facts.mjs';
import { readNgramFacts } from './build/ngram-facts.mjs';
import { readThreeTablesFacts } from './build/three-tables-facts.mjs';
import { decisionRun, readWidthFacts } from './build/width-facts.mjs';
import { readExperimentFacts } from './build/experiment-facts.mjs';
import { gptFacts } from './build/gpt-facts.mjs';
import { colophonFacts } from './build/colophon.mjs';
import { mathRenderer } from './build/math.mjs';
import { metadataFor } from './build/metadata.mjs';
import { chapterFrame } from './build/chapter-frame.mjs';
import { assemblePages } from './build/page.mjs';
import { shareCard } from './build/share-card.mjs';
import { themeCss } from './build/theme-css.mjs';
import { makeTables } from './build/tables.mjs';
import { whoseFacts } from './build/whose-facts.mjs';

/** Order matters: later sheets refine earlier ones. */
const styleSheets = [
  'base',
  'layout',
  'contents',
  'prose',
  'share',
  'parts',
  'figures',
  'transformer',
  'arrow',
  'hero',
  'decision',
  'position',
  'reserve',
  'reserved-heights',
  'tables',
  'learning',
  'print',
];

/** Loaded after the first screen; the pages of all terms and of the plain words use them, too. */
const learningSheets = [
  'learning/reserved-heights',
  'learning/terms',
  'learning/guesses',
  'learning/quiz/quiz',
  'learning/source-cards',
  'learning/pages',
];

async function bundleForNode({ root, scratch, plugins = [] }) {
  const file = join(scratch, 'inputs.mjs');
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(root, 'web/article/build/inputs.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outfile: file,
    plugins: [...browserOptions.plugins, ...plugins],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
    write: false,
  });
  const [output] = result.outputFiles;
  await writeFile(file, output.contents);
  return { inputs: await import(`${pathToFileURL(file).href}?${String(Date.now())}`), source: output.contents };
}

/**
 * Computing the facts takes seconds of training, so they are cached beside the build. They are recomputed when the
 * core, the story, the lab's defaults, known models or the code that computes them changes.
 */
async function factsOf({ root, scratch, report, recorded }) {
  if (recorded !== undefined) {
    const { inputs } = await bundleForNode({ root, scratch, plugins: [onlyBuilt] });
    return { facts: recorded, inputs };
  }
  const { inputs, source } = await bundleForNode({ root, scratch });
  const entry = join(root, 'dist/tied-embeddings.js');
  const recipeNames = [
    'facts',
    'accounting-facts',
    'arrow-facts',
    'bigram-table',
    'card-facts',
    'hidden-facts',
    'ledger-facts',
    'lens-facts',
    'finished-run',
    'price-facts',
    'recorded-answers',
    'repeating-facts',
    'semidefinite-facts',
    'whose-facts',
    'rounded',
  ];
  const recipes = recipeNames.map((name) => join(root, 'web/article/build', `${name}.mjs`));
  const hash = createHash('sha256').update(source);
  const modules = baselineFiles.map((name) => join(root, 'dist', name));
  const models = join(root, 'web/article/assets/finished-transformers.safetensors');
  for (const file of [...modules, ...recipes, models]) hash.update(await readFile(file));
  // What is known of published models, and how kinds of them are counted, is in scripts.
  hash.update(hashOfFiles([join(root, 'web/core/accounting')]));
  const cache = join(scratch, `facts-${hash.digest('hex').slice(0, 16)}.json`);
  try {
    return { facts: JSON.parse(await readFile(cache, 'utf8')), inputs };
  } catch {
    // Not computed yet.
  }
  const { createLab, loadCore } = await import(pathToFileURL(entry).href);
  const core = await loadCore({ modules: ['accounting', 'graphs', 'stories'] });
  const computed = await computeFacts({ core, inputs, report });
  const answers = await recordedAnswers(core, inputs);
  core.dispose();
  const lab = await createLab();
  const given = { lab, inputs, models: Uint8Array.from(await readFile(models)) };
  const arrow = await arrowFacts(given);
  const cards = await cardFacts(given);
  const hidden = await hiddenFacts(given);
  const ledger = await ledgerFacts(given);
  const lens = await lensFacts(given);
  const whose = await whoseFacts(given);
  const text = await textOfRun(lab, computed.lab, inputs);
  lab.dispose();
  const facts = { ...computed, atRest: { answers, text }, arrow, cards, hidden, ledger, lens, whose };
  await writeFile(cache, JSON.stringify(facts));
  return { facts, inputs };
}

async function bundleScripts({ root, outDir, mode, plugins }) {
  const article = join(root, 'web/article');
  const options = { ...browserOptions, plugins: [...plugins, ...smaller], minify: mode === 'production' };
  await build({
    ...options,
    entryPoints: { page: join(article, 'page.ts') },
    outdir: outDir,
    splitting: true,
    chunkNames: 'scripts/[name]-[hash]',
  });
  await build({ ...options, entryPoints: { theme: join(article, 'theme.ts') }, outdir: outDir, format: 'iife' });
}

const readStyles = (root, names) =>
  Promise.all(names.map((name) => readFile(join(root, 'web/article', `${name}.css`), 'utf8')));

async function styleSheet({ mode, parts }) {
  const result = await build({
    ...browserOptions,
    stdin: { contents: parts.join('\n'), loader: 'css' },
    minify: mode === 'production',
    // Font URLs are relative to the style sheet.
    external: ['fonts/*'],
    write: false,
  });
  return result.outputFiles[0].text;
}

/** The HTML of sections and chapters by id, in the order of their files. */
async function readSections(root) {
  const sections = {};
  for (const folder of ['sections', 'chapters'].map((name) => join(root, 'web/article', name))) {
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.html')).sort()) {
      const html = await readFile(join(folder, name), 'utf8');
      const [, id] = /^<section id="([\w-]+)"/.exec(html) ?? [];
      if (id === undefined) throw new Error(`${name} does not begin with a section and its id`);
      sections[id] = html;
    }
  }
  return sections;
}

/** Copies what the page takes from dist/: worker, wasm, and the scripts for other pages. */
async function copyPackage({ root, outDir }) {
  const scripts = ['worker.js', 'tied-embeddings.global.js'];
  await cp(join(root, 'dist/global'), join(outDir, 'global'), { recursive: true });
  for (const name of [...scripts, ...baselineFiles]) {
    await copyFile(join(root, 'dist', name), join(outDir, name));
  }
  const notices = await readFile(join(root, 'dist/THIRD-PARTY.txt'), 'utf8');
  await writeFile(join(outDir, 'THIRD-PARTY.txt'), withNotices(notices, fontPackages));
}

/**
 * Builds the article into `outDir`: page, styles, fonts, scripts, worker and wasm; resolves with its computed facts. Needs dist/ to
 * be built, unless `isWhole` is false: then worker and wasm are left out. `recorded`: facts that are not computed again.
 *
 * @param {{ root: string, outDir: string, mode?: 'production' | 'development', report?: (what: string) => void,
 *   recorded?: any, isWhole?: boolean }} options
 */
export async function buildArticle(options) {
  const { root, outDir, mode = 'production', report = () => undefined, recorded, isWhole = true } = options;
  const scratch = join(root, 'build/article');
  await mkdir(scratch, { recursive: true });
  await mkdir(join(outDir, 'fonts'), { recursive: true });

  const { facts: found, inputs } = await factsOf({ root, scratch, report, recorded });
  // Too long for a record, and a page without it asks the core.
  const { atRest = {}, ...computed } = found;
  const pathsRun = await readFile(join(root, 'web/article/assets/finished-direct-paths.json'), 'utf8');
  const headsRun = await readFile(join(root, 'web/article/assets/finished-heads.json'), 'utf8');
  const gptRun = await readFile(join(root, 'web/article/assets/finished-transformer-run.json'), 'utf8');
  const pairsRun = await readFile(join(root, 'web/article/assets/finished-seq2seq.json'), 'utf8');
  const facts = {
    ...computed,
    gpt: gptFacts(JSON.parse(gptRun)),
    position: positionFacts(inputs),
    paths: pathFacts(JSON.parse(pathsRun), inputs),
    heads: headsFacts(JSON.parse(headsRun), inputs),
    seq2seq: seq2seqFacts(JSON.parse(pairsRun), inputs),
    experiment: await readExperimentFacts(root),
    ...(await readTableFacts(root)),
    readouts: await readReadoutFacts(root),
    widths: await readWidthFacts(root),
    drift: await readDriftFacts(root),
    languages: await readLanguagesFacts(root),
    law: await readLawFacts(root),
    masked: await readMaskedFacts(root),
    moved: await readMovedFacts(root),
    files: await readFilesFacts(root),
    scale: await readScaleFacts(root),
    threeTables: await readThreeTablesFacts(root),
    ngrams: await readNgramFacts(root),
    coupling: await readCouplingFacts(root),
    colophon: await colophonFacts(root),
    claims: claimFacts(computed),
  };
  report('laying out the page');
  const math = mathRenderer();
  const page = await readFile(join(root, 'web/article/page.html'), 'utf8');
  const chapterPage = chapterFrame(page, await readFile(join(root, 'web/article/chapter.html'), 'utf8'));
  const plain = await readPlainWords(root);
  const written = await readSections(root);
  checkSentences([page, ...Object.values(written)].join('\n'), facts);
  const sections = Object.fromEntries(
    Object.entries(written).map(([id, html]) => [id, addGuesses(addPlainSwitches(html, plain), facts)]),
  );
  const tables = makeTables(facts);
  const drawings = { ...makeDrawings(facts, inputs), ...thumbnails(facts) };
  const assembled = assemblePages({
    page,
    chapterPage,
    sections,
    facts,
    tables,
    drawings,
    palette: inputs.palette,
    math,
    metadata: metadataFor(page, facts.colophon),
  });
  const pages = Object.fromEntries(Object.entries(assembled).map(([name, html]) => [name, markTerms(html)]));
  const glossary = glossaryPage(math);
  const fonts = await makeFonts(math.signs());
  const styles = await readStyles(
    root,
    styleSheets.map((name) => `styles/${name}`),
  );
  const css = await styleSheet({ mode, parts: [fonts.css, themeCss(inputs.palette), math.css(), ...styles] });
  const learningCss = await styleSheet({ mode, parts: await readStyles(root, learningSheets) });

  for (const [name, html] of Object.entries(pages)) await writeFile(join(outDir, name), html);
  // What follows the reader, in the article and beside its chapters (figures/travel/).
  await writeFile(join(outDir, 'transformer.html'), `${drawings.transformer}\n${tables.parts}\n`);
  await writeFile(join(outDir, 'page.css'), css);
  await writeFile(join(outDir, 'learning.css'), learningCss);
  await writeFile(join(outDir, 'quiz.json'), JSON.stringify(quizFacts(facts)));
  for (const [name, markup] of [
    ['glossary', glossary],
    ['plain', plainPage(Object.values(pages).join('\n'), plain)],
  ]) {
    await mkdir(join(outDir, name), { recursive: true });
    await writeFile(join(outDir, name, 'index.html'), markup);
  }
  await writeFile(join(outDir, 'hero.json'), JSON.stringify(heroRun(facts.hero)));
  await writeFile(join(outDir, 'decision.json'), JSON.stringify(decisionRun(facts.widths)));
  await writeFile(join(outDir, 'recorded-answers.json'), JSON.stringify(atRest.answers ?? {}));
  await writeFile(join(outDir, 'finished-run.json'), JSON.stringify(finishedRun(facts.lab, inputs, atRest.text)));
  await writeFile(join(outDir, 'finished-hidden-states.json'), JSON.stringify(facts.hidden.finished));
  await writeFile(join(outDir, 'finished-ledgers.json'), JSON.stringify(facts.ledger.finished));
  await writeFile(join(outDir, 'finished-alignments.json'), JSON.stringify(facts.whose.finished));
  await writeFile(join(outDir, 'finished-lenses.json'), JSON.stringify(facts.lens.finished));
  for (const { name, bytes } of fonts.files) await writeFile(join(outDir, 'fonts', name), bytes);
  const assets = [
    'favicon.svg',
    shareCard.file,
    'finished-direct-paths.json',
    'finished-heads.json',
    'finished-leak.json',
    'languages.json',
    'lost-here.json',
    'finished-seq2seq.json',
    'finished-transformer-run.json',
  ];
  for (const name of [...assets, 'finished-transformers.safetensors']) {
    await copyFile(join(root, 'web/article/assets', name), join(outDir, name));
  }
  if (isWhole) await copyPackage({ root, outDir });
  // The page fetches its modules; their bytes are for where that fails.
  const plugins = isWhole ? browserOptions.plugins : [...browserOptions.plugins, onlyBuilt];
  await bundleScripts({ root, outDir, mode, plugins });
  return computed;
}
