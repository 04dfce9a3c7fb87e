// Starts all requested contenders.
import { commandContender } from './contenders/command.mjs';
import { chromiumCore, nativeCore, nodeCore } from './contenders/core.mjs';
import { variantsIn } from './builds.mjs';
import { pageContenders } from './pages/index.mjs';
import { peerContenders } from './peers/index.mjs';

const start = {
  Chromium: ({ folder, name }, browser) => chromiumCore(browser, folder, name),
  Node: ({ folder, name, relaxed }) => nodeCore(folder, name, { relaxed }),
  native: ({ folder, name }) => nativeCore(folder, name),
};

/** Our builds from a folder; `rename` changes names that would occur twice. */
export async function coreContenders({ folder, hosts, browser, rename = (name) => name }) {
  const contenders = [];
  const absent = [];
  for (const variant of variantsIn(folder, hosts)) {
    const name = rename(variant.name);
    try {
      contenders.push(await start[variant.host]({ ...variant, name }, browser));
    } catch (error) {
      absent.push({ name: `${name} in ${variant.host}`, reason: error.message.split('\n')[0] });
    }
  }
  return { contenders, absent };
}

/** All contenders other than builds of bench_core: whole pages, the command and other programs. */
export async function otherContenders({ hosts, browser, peers, before, log }) {
  const found = [{ contenders: [commandContender('ours, baseline')], absent: [] }];
  if (browser !== undefined) found.push(await pageContenders({ browser, before }));
  if (peers) found.push(await peerContenders({ browser, log }));
  return {
    contenders: found.flatMap(({ contenders }) => contenders).filter(({ host }) => hosts.includes(host)),
    absent: found.flatMap(({ absent }) => absent),
  };
}
