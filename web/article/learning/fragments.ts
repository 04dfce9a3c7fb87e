/** Parts of the site's other pages, which the article shows in place. Each page is fetched once, when the first part is wanted. */

const pages = new Map<string, Promise<Document>>();

async function fetchPage(path: string): Promise<Document> {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** A copy of the element with that id on that page; null if the page cannot be fetched or has no such element. */
export async function fragmentOf(path: string, id: string): Promise<HTMLElement | null> {
  if (!pages.has(path)) pages.set(path, fetchPage(path));
  try {
    const found = (await pages.get(path)!).getElementById(id);
    return found === null ? null : document.importNode(found, true);
  } catch (error) {
    console.warn(error);
    // The next press tries again.
    pages.delete(path);
    return null;
  }
}
