// Downloads single packages of a newer Debian release from the machine's mirror and unpacks them into a folder, without
// changing the system: apt uses separate lists, status and cache.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';
import { SetupProblem } from '../lib/steps.mjs';
import { distribution } from './platform.mjs';

const defaultKeyring = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Source entries { uris, suites, components, signedBy } of a file in deb822 format (`*.sources`). */
export function parseDeb822(text) {
  const entries = [];
  for (const stanza of text.split(/\n[ \t]*\n/)) {
    const fields = {};
    for (const line of stanza.split('\n')) {
      const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
      if (match) fields[match[1].toLowerCase()] = match[2].trim();
    }
    const words = (name) => (fields[name] ?? '').split(/\s+/).filter(Boolean);
    if (!words('types').includes('deb') || fields.enabled === 'no') continue;
    entries.push({
      uris: words('uris'),
      suites: words('suites'),
      components: words('components'),
      signedBy: fields['signed-by'],
    });
  }
  return entries;
}

/** The same for the one-line format (`*.list`). */
export function parseOneLine(text) {
  const entries = [];
  for (const line of text.split('\n')) {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)/.exec(line);
    if (!match) continue;
    const signedBy = /signed-by=(\S+)/.exec(match[1] ?? '')?.[1];
    entries.push({ uris: [match[2]], suites: [match[3]], components: match[4].trim().split(/\s+/), signedBy });
  }
  return entries;
}

function systemSources() {
  const entries = [];
  const read = (file) =>
    entries.push(...(file.endsWith('.sources') ? parseDeb822 : parseOneLine)(readFileSync(file, 'utf8')));
  if (existsSync('/etc/apt/sources.list')) read('/etc/apt/sources.list');
  const parts = '/etc/apt/sources.list.d';
  for (const name of existsSync(parts) ? readdirSync(parts).sort() : []) {
    if (/\.(list|sources)$/.test(name)) read(join(parts, name));
  }
  return entries;
}

/** The mirror of this machine's release, which has the newer one as well. */
export function archiveOf(entries, codename) {
  for (const { uris, suites, components, signedBy } of entries) {
    if (!suites.includes(codename) || !components.includes('main') || uris.length === 0) continue;
    return { uri: uris[0], keyring: signedBy && existsSync(signedBy) ? signedBy : defaultKeyring };
  }
  return undefined;
}

/**
 * Downloads `packages` of `suite` and unpacks them below `folder` (which then has usr/...); `scratch` is used and
 * removed. Files that match `leaveOut` (tar patterns) are not unpacked.
 */
export async function unpackPackages({ suite, packages, folder, scratch, leaveOut = [] }) {
  const { codename } = distribution();
  const archive = archiveOf(systemSources(), codename);
  if (!archive) {
    throw new SetupProblem(
      `No apt source for Debian "${codename}" main was found from which to derive the URL of "${suite}".\n` +
        'Put an emcc of at least 3.1.69 on the PATH instead (emsdk), then run the same npm command again.',
    );
  }
  rmSync(scratch, { recursive: true, force: true });
  for (const name of ['lists/partial', 'cache/archives/partial', 'packages'])
    mkdirSync(join(scratch, name), { recursive: true });
  writeFileSync(join(scratch, 'status'), '');
  writeFileSync(join(scratch, 'sources.list'), `deb [signed-by=${archive.keyring}] ${archive.uri} ${suite} main\n`);
  const options = {
    'Dir::Etc::SourceList': join(scratch, 'sources.list'),
    'Dir::Etc::SourceParts': '-',
    'Dir::Etc::Preferences': '-',
    'Dir::Etc::PreferencesParts': '-',
    'Dir::State': scratch,
    'Dir::State::Lists': join(scratch, 'lists'),
    'Dir::State::Status': join(scratch, 'status'),
    'Dir::Cache': join(scratch, 'cache'),
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
  };
  const apt = Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  const log = 'debian-archive';
  await run('apt-get', [...apt, 'update'], { log });
  await run('apt-get', [...apt, 'download', ...packages], { log, append: true, cwd: join(scratch, 'packages') });
  const excludes = leaveOut.map((pattern) => `--exclude=${pattern}`);
  for (const name of readdirSync(join(scratch, 'packages')).sort()) {
    const unpack =
      'set -e; file=$1; folder=$2; shift 2; dpkg-deb --fsys-tarfile "$file" | tar -x -C "$folder" --no-same-owner "$@"';
    await run('sh', ['-c', unpack, 'unpack', join(scratch, 'packages', name), folder, ...excludes], {
      log,
      append: true,
    });
  }
  rmSync(scratch, { recursive: true, force: true });
}
