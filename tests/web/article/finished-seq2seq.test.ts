// The project stores what <tied-seq2seq> shows before the reader trains. Here its first steps are repeated: if they
// differ, the core or the figure's defaults have changed since.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../tools/lib/root.mjs';
import { finishedSteps, trainFinishedSeq2seq } from '../../../web/article/build/finished-seq2seq.js';
import { seq2seqFacts } from '../../../web/article/build/seq2seq-facts.mjs';
import { momentSteps, pullAt, type History } from '../../../web/elements/seq2seq/history.js';
import { createLab } from '../../../web/worker/lab.js';

const file = join(root, 'web/article/assets/finished-seq2seq.json');
const { madeBy, ...finished } = JSON.parse(readFileSync(file, 'utf8')) as History & { madeBy: string };

it('the finished encoder-decoders begin with the core’s current results', { timeout: 120_000 }, async () => {
  const to = momentSteps(finishedSteps)[2]!;
  const lab = await createLab();
  const again = await trainFinishedSeq2seq(lab, { to });
  lab.dispose();
  const { models, ...about } = finished;
  const { models: modelsAgain, ...aboutAgain } = again;
  expect(aboutAgain, `train again: ${madeBy}`).toEqual(about);
  for (const [index, { norms, moments, ...model }] of models.entries()) {
    const { norms: normsAgain, moments: momentsAgain, ...modelAgain } = modelsAgain[index]!;
    expect(modelAgain).toEqual(model);
    expect(momentsAgain, `train again: ${madeBy}`).toEqual(moments.filter(({ step }) => step <= to));
    for (const role of ['encoder', 'input', 'output'] as const) {
      expect(normsAgain[role], `train again: ${madeBy}`).toEqual(norms[role].slice(0, normsAgain[role].length));
    }
    expect(moments.map(({ step }) => step)).toEqual(momentSteps(finishedSteps));
  }
});

it('the finished encoder-decoders agree with what the article says about them', () => {
  const facts = seq2seqFacts(finished, { pullAt });
  const { all, decoder, none } = facts;
  // "One table does the work of three here, a little later."
  for (const { exactMatch } of [all, decoder, none]) expect(exactMatch).toBeGreaterThan(0.95);
  expect(all.learntAt).toBeGreaterThan(none.learntAt!);
  // Who pulls hardest when is counted from the norms of all steps, not written by hand.
  expect(all.leads).toEqual([
    { role: 'output', from: 1, to: 39 },
    { role: 'input', from: 40, to: 50 },
    { role: 'output', from: 51, to: 150 },
  ]);
  for (const { role, from, to } of all.leads) {
    for (let step = from; step <= to; step++) {
      const pull = pullAt(
        finished.models.find(({ tying }) => tying === 'all')!,
        step,
      )!;
      expect(Math.max(...Object.values(pull)), `step ${step}`).toBe(pull[role as keyof typeof pull]);
    }
  }
  expect(all.leadsInWords).toBe(
    'writing up to step 39, reading what it has written from step 40 to 50, and writing from step 51 on',
  );
  expect([none.tableParameters, decoder.tableParameters]).toEqual([3 * all.tableParameters, 2 * all.tableParameters]);
  expect(all.tableParameters).toBe(facts.vocabSize * facts.dModel);
});
