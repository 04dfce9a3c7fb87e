const description =
  'A chapter of an article on tied embeddings, language models that read and write with one table of vectors, with experiments that run in the browser.';

/**
 * The page of a chapter: head, header and footer of the article around `main`.
 *
 * @param {string} page page.html
 * @param {string} main chapter.html
 */
export function chapterFrame(page, main) {
  /** @type {[found: RegExp, instead: string][]} */
  const differences = [
    [/<main\b[^]*<\/main>/, main.trim()],
    [/<title>[^<]*<\/title>/, '<title>{{title}} – One table that reads and writes</title>'],
    [/content="[^"]*"(?=\s*\/>\s*\{\{metadata\}\})/, `content="${description}"`],
    [/Skip to the article/, 'Skip to the chapter'],
    [/<p class="kicker">[^<]*<\/p>/, '<p class="kicker"><a href="./">One table that reads and writes</a></p>'],
    [/href="#about"/, 'href="./#about"'],
  ];
  return differences.reduce((html, [found, instead]) => {
    if (!found.test(html)) throw new Error(`page.html has nothing like ${String(found)}`);
    return html.replace(found, () => instead);
  }, page);
}
