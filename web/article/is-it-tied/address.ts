/** The Hub's links as people write them, without a protocol. */
const short = /^(?:www\.)?(?:huggingface\.co|hf\.co)\//i;

/** The model that an address of the page asks for with `?url=`; null if it asks for none, or has the state of a figure. */
export function askedUrl(address: string): string | null {
  const { searchParams, hash } = new URL(address);
  const url = searchParams.get('url')?.trim() ?? '';
  if (url === '' || new URLSearchParams(hash.slice(1)).has('given')) return null;
  return short.test(url) ? `https://${url}` : url;
}

/** The address for what is open. Another model ends the state that the last link has set. */
export function addressOf(address: string, given: string): string {
  const url = new URL(address);
  if (new URLSearchParams(url.hash.slice(1)).get('given') !== given) url.hash = '';
  if (/^https?:\/\//.test(given)) url.searchParams.set('url', given);
  else url.searchParams.delete('url');
  return url.href;
}

/** What is dropped beside the figure is dropped on it, and never opened by the browser in place of the page. */
export function forwardDrops(page: Document, figure: HTMLElement): void {
  for (const type of ['dragover', 'drop'] as const) {
    page.addEventListener(type, (event) => {
      const { dataTransfer } = event;
      if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      if (event.composedPath().includes(figure)) return;
      figure.dispatchEvent(new DragEvent(type, { dataTransfer, cancelable: true }));
    });
  }
}
