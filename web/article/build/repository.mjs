import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Only these hosts count as public. A checkout may also come from a private server, whose URL must not be published.
 */
const forges = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org', codeberg: 'codeberg.org' };

/** The web URL of what git calls a remote, or null if it has none. Never contains a user name or a password. */
function addressOfRemote(text) {
  const url = text.replace(/^git@([\w.-]+):/, 'https://$1/').replace(/^git\+/, '').replace(/^(?:git|ssh):/, 'https:');
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== 'https:') return null;
  return `https://${parsed.hostname}${parsed.pathname.replace(/\.git$/, '').replace(/\/$/, '')}`;
}

/** The same for `repository` of package.json, where `github:owner/name` and `owner/name` are possible too. */
export function addressInManifest(text) {
  const [, forge = 'github', path] = /^(?:(\w+):)?(\w[\w.-]*\/[\w.-]+)$/.exec(text) ?? [];
  if (path === undefined) return addressOfRemote(text);
  return forge in forges ? `https://${forges[forge]}/${path}` : null;
}

/**
 * Where the source is: the URL in package.json, or else the one this checkout was cloned from, if that is a public
 * forge; null if neither is known.
 *
 * @param {string} root
 * @param {{ repository?: string | { url?: string } }} manifest
 */
export async function repositoryAddress(root, { repository }) {
  const declared = typeof repository === 'string' ? repository : repository?.url;
  if (declared !== undefined) return addressInManifest(declared);
  const origin = addressOfRemote(await remoteOf(root));
  return origin !== null && Object.values(forges).includes(new URL(origin).hostname) ? origin : null;
}

async function remoteOf(root) {
  try {
    const { stdout } = await promisify(execFile)('git', ['remote', 'get-url', 'origin'], { cwd: root });
    return stdout.trim();
  } catch {
    return '';
  }
}
