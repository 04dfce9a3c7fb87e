// Pages of the site beside the article, in its style: the API reference, the claims, the figures, and those for teachers and for opening a model.

/**
 * @param {object} page
 * @param {string} page.title Both as HTML.
 * @param {string} page.description
 * @param {string} page.styles Where api.css is, seen from the page.
 * @param {string} page.kind Classes of the body.
 * @param {string} page.skip What the first link skips to.
 * @param {string} [page.head] More of the head.
 * @param {string} [page.nav]
 * @param {string} page.main
 */
export function staticPage({ title, description, styles, kind, skip, head = '', nav = '', main }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: tied-embeddings</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="../favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../page.css">
<link rel="stylesheet" href="${styles}">
<script src="../theme.js"></script>
${head}
</head>
<body class="${kind}">
<a class="skip-link" href="#content">Skip to ${skip}</a>
<header><p class="kicker"><a href="../">Tied embeddings</a></p></header>
${nav}<main id="content">
${main}
</main>
</body>
</html>
`;
}
