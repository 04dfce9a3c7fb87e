// Pages that load themselves again when they are told to, under the article's own policy: a script from this server waits for
// an event from this server. Only npm start has it; nothing of it is in site/ or dist/.

const script = `const source = new EventSource('/live-reload/events');
source.addEventListener('reload', () => location.reload());
`;

/** What `serve` takes as `routes` and `changeHtml`, and `reload()`, which all open pages obey. */
export function liveReload() {
  const open = new Set();
  return {
    routes: {
      '/live-reload/page.js': (_request, response, headers) =>
        response.writeHead(200, { ...headers, 'Content-Type': 'text/javascript; charset=utf-8' }).end(script),
      '/live-reload/events': (request, response, headers) => {
        response.writeHead(200, { ...headers, 'Content-Type': 'text/event-stream' });
        response.write(':\n\n'); // a comment: the page knows that it is connected
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
