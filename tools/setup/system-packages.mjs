// Packages of the machine's Debian release: checks, and installs with sufficient permissions.
import { run, capture } from '../lib/run.mjs';
import { SetupProblem } from '../lib/steps.mjs';
import { debianRelease } from './platform.mjs';

/** The named Debian packages that are not installed. */
async function missingPackages(names) {
  // dpkg-query fails for unknown names, but still prints the others.
  const text = await capture('sh', [
    '-c',
    `dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n' ${names.join(' ')} 2>/dev/null; true`,
  ]);
  const installed = new Set();
  for (const line of (text ?? '').split('\n')) {
    const match = /^ii\s+(\S+)$/.exec(line.trim());
    if (match) installed.add(match[1]);
  }
  return names.filter((name) => !installed.has(name));
}

/** The command prefix for installing: [] as root, ['sudo', '-n'] where sudo needs no password, otherwise undefined. */
async function rights() {
  if (process.getuid?.() === 0) return [];
  return (await capture('sudo', ['-n', 'true'])) === undefined ? undefined : ['sudo', '-n'];
}

/** Makes sure that the named packages are installed; resolves with "already there" if they were. */
export async function ensureSystemPackages(names) {
  const missing = await missingPackages(names);
  if (missing.length === 0) return 'already there';
  const prefix = await rights();
  if (prefix === undefined) {
    throw new SetupProblem(
      `These system packages are missing, and this account may not install them:\n  ${missing.join(' ')}\n` +
        'Install them with this command, then run the same npm command again:\n' +
        `  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`,
    );
  }
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=600'];
  // A failing third-party source must not stop the set-up; the installation shows what is available.
  await run(apt[0], [...apt.slice(1), 'update'], { log: 'apt', allowFailure: true });
  await run(apt[0], [...apt.slice(1), 'install', '-y', '--no-install-recommends', ...missing], {
    log: 'apt',
    append: true,
  });
  return undefined;
}

/** Groups of packages that only tests need. Other systems do without them, so failures are ignored. */
export async function ensureForTests(groups) {
  if (debianRelease() < 12) return 'skipped: supported on Debian only';
  const answers = [];
  for (const packages of groups) {
    try {
      answers.push(await ensureSystemPackages(packages));
    } catch {
      answers.push(`skipped: ${packages[0]} cannot be installed here`);
    }
  }
  return answers.find((answer) => answer?.startsWith('skipped')) ?? answers[0];
}
