/** What the page states about its encoder-decoders, from their stored run (History in web/elements/seq2seq/history.ts). */
export function seq2seqFacts({ plan, vocabSize, dModel, heldOut, examples, models }, { pullAt }) {
  const modelFacts = (model) => {
    const { tableParameters, moments } = model;
    const { step, exactMatch, loss } = moments.at(-1);
    const readings = moments.map((moment) => ({ step: moment.step, share: 1 - pullAt(model, moment.step).output }));
    return {
      tableParameters,
      exactMatch,
      loss,
      /** The first moment at which nine in ten targets are right. */
      learntAt: moments.find((moment) => moment.exactMatch >= 0.9)?.step,
      writing: pullAt(model, step).output,
      /** The moment at which reading pulls most. */
      reading: readings.reduce((most, one) => (one.share > most.share ? one : most)),
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
