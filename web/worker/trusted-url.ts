/** URLs of scripts in pages that require Trusted Types. */

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** A page that requires Trusted Types loads no script and starts no worker from plain text. Its policy may forbid ours, too. */
export function trusted(url: string | URL): string | URL {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return url;
  try {
    policy ??= trustedTypes.createPolicy('tied-embeddings', { createScriptURL: (same) => same });
  } catch {
    return url;
  }
  return policy.createScriptURL(String(url));
}
