// One model in one worker and on all cores, in a plain and in an isolated page; and the same in one worker of an earlier package.
import { join } from 'node:path';
import { isolation } from '../hosts/pages.mjs';
import { onePageContender } from './one-page.mjs';
import { compared, others } from './one-model/models.mjs';

/**
 * @param {import('playwright-core').Browser} browser
 * @param {object} which
 * @param {string} which.name
 * @param {boolean} which.isolated
 * @param {string} [which.package_] The folder of a package from before there were several threads.
 */
function contender(browser, { name, isolated, package_ }) {
  const names = Object.keys({ ...compared, ...(!isolated && package_ === undefined && others) });
  const all = names.map((model) => (isolated ? `one-model/isolated/${model}` : `one-model/${model}`));
  return onePageContender(browser, {
    name,
    folder: 'one-model',
    cases: package_ === undefined ? all.flatMap((id) => [id, `${id}/one-thread`]) : all,
    folders: { '/arms/': join(import.meta.dirname, 'arms'), '/peers/': join(import.meta.dirname, '../peers') },
    ...(isolated && { headers: isolation }),
    ...(package_ !== undefined && { package_ }),
    measure: (page, id, milliseconds) => {
      const model = id.split('/').find((part) => names.includes(part));
      const threads = package_ !== undefined || id.endsWith('/one-thread') ? 1 : 0;
      return page.evaluate(
        ([of, wanted, least]) => globalThis.measureSteps(of, wanted, least),
        /** @type {[string, number, number]} */ ([model, threads, 8 * milliseconds]),
      );
    },
  });
}

/**
 * `before`: the folder of an earlier package, to compare with.
 * @param {import('playwright-core').Browser} browser
 * @param {string} name
 * @param {string} [before]
 */
export function oneModelContenders(browser, name, before) {
  const packages = [{ name }, ...(before === undefined ? [] : [{ name: 'ours, before', package_: before }])];
  return packages.flatMap((one) => [false, true].map((isolated) => contender(browser, { ...one, isolated })));
}
