import { leadsInWords, steadyLeads } from './who-leads.mjs';

const roleNames = { encoder: 'reading the source', input: 'reading what it has written', output: 'writing' };

/** What the page states about its encoder-decoders, from their stored run (History in web/elements/seq2seq/history.ts). */
export function seq2seqFacts({ plan, vocabSize, dModel, heldOut, examples, models }, { pullAt }) {
  const modelFacts = (model) => {
    const { tableParameters, moments } = model;
    const { step, exactMatch, loss } = moments.at(-1);
    /** The role that pulls hardest, at every step. */
    const leaders = Array.from({ length: step }, (_, index) => {
      const pull = pullAt(model, index + 1);
      return Object.keys(pull).reduce((most, role) => (pull[role] > pull[most] ? role : most));
    });
    return {
      leads: steadyLeads(leaders),
      leadsInWords: leadsInWords(steadyLeads(leaders), step, roleNames),
      tableParameters,
      exactMatch,
      loss,
      /** The first moment at which nine in ten targets are right. */
      learntAt: moments.find((moment) => moment.exactMatch >= 0.9)?.step,
      writing: pullAt(model, step).output,
    };
  };
  const of = (wanted) => models.find(({ tying }) => tying === wanted);
  const one = of('all');
  return {
    length: plan.length,
    vocabSize,
    dModel,
    heldOut,
    steps: one.moments.at(-1).step,
    all: modelFacts(one),
    decoder: modelFacts(of('decoder')),
    none: modelFacts(of('none')),
    /** What the model with one table wrote. */
    written: one.moments.map(({ step, written }) => ({ step, texts: written.map(({ text }) => text) })),
    examples,
  };
}
