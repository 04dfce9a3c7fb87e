/** Resolves with whether the browser allowed it: frames of other pages may not, and only secure pages have a clipboard. */
export async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
