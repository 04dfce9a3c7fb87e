// Set-up of what only some tests of `npm run test:all` need, as phases: it is mostly downloading, so other phases run meanwhile. What
// cannot be installed here is skipped, and so are its tests, which say why.
import { setupsForTests } from '../setup/setup.mjs';

const asPhase = ({ title, run }) => ({
  title,
  run: async () => {
    const answer = await run();
    return typeof answer === 'string' && /^skipped|cannot be installed/.test(answer)
      ? { passed: 0, failed: 0, skipped: 1, notes: [answer] }
      : { passed: 1, failed: 0, skipped: 0, notes: [] };
  },
});

const { judges: judgesSetup, ...fromSystem } = setupsForTests;

/** From Debian's packages, one after another: one process at a time may install. */
const systemPhases = Object.values(fromSystem).map(asPhase);
for (const [index, phase] of systemPhases.entries()) Object.assign(phase, { needs: systemPhases.slice(0, index) });

export const [schedulers, zsh, pyTorch, otherBrowsers, arm64Tools] = systemPhases;
export const judges = asPhase(judgesSetup);
