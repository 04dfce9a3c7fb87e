// The site's API reference: generated from the doc comments, complete, and without dead links.
import { describe, expect, it } from 'vitest';
import { readApi, verbsOf } from '../../../tools/api/read-api.mjs';
import { renderApi } from '../../../tools/api/render-api.mjs';

const entries = readApi();
const html = renderApi(entries, { version: '1.2.3' });

describe('the API reference', () => {
  it('lists every name of the main entry and every verb exactly once', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of [...entries, ...verbsOf(entries)].map((one) => one.name)) expect(ids).toContain(name);
    expect(ids).toEqual(expect.arrayContaining(['loadCore', 'Core.createTrainer', 'Trainer.run', 'TrainingConfig']));
  });

  it('has no dead links', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  it('complies with the strict policy: no inline script, no style attribute, nothing from other hosts', () => {
    expect(html).not.toMatch(/\sstyle=|<script>|\son[a-z]+=|https?:/);
  });

  it('shows signature, errors and example of a verb', () => {
    const [run = ''] = /<section class="api-verb" id="Trainer\.run">[^]*?<\/section>/.exec(html) ?? [];
    expect(run).toContain(
      'run(steps: number, options: <a href="#RunOptions">RunOptions</a>): <a href="#StepRecord">StepRecord</a>[] | <a',
    );
    // Every overload is shown.
    expect(run).toContain('<a href="#StepColumns">StepColumns</a>\nrun(steps');
    expect(run).toMatch(/Throws.*<code>not-finite<\/code> if the loss.*<code>cancelled<\/code> if/s);
    expect(run).toMatch(/Example.*trainer\.run\(100/s);
    expect(html).toContain('<code>createTrainer(options: <a href="#TrainerOptions">');
    expect(html).not.toMatch(/\{@/);
  });
});
