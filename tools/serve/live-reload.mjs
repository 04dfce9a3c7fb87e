// Reloads open pages after a build, under the article's own policy: a script from this server waits for an event from
// this server. Used by npm start only; site/ and dist/ do not contain it.

const script = `const source = new EventSource('/live-reload/events');
source.addEventListener('reload', () => location.reload());
`;

/** Returns `routes` and `changeHtml` for `serve`, and `reload()`, which reloads all open pages. */
export function liveReload() {
  const open = new Set();
  return {
    routes: {
      '/live-reload/page.js': (_request, response, headers) =>
        response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }).end(script),
      '/live-reload/events': (request, response, headers) => {
        response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
        response.write(':\n\n'); // a comment, which tells the page that it is connected
        open.add(response);
        request.on('close', () => open.delete(response));
      },
    },
    changeHtml: (html) => html.replace('</body>', '<script type="module" src="/live-reload/page.js"></script></body>'),
    reload: () => {
      for (const response of open) response.write('event: reload\ndata:\n\n');
    },
  };
}
