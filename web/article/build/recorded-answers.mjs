/** What the figures ask the core before a reader uses one, with its answers (web/elements/shared/recorded-answers.ts). */
export async function recordedAnswers(core, { countConfigurations, countState, directPathOf, presetOf, startingTokens, written }) {
  const answers = {};
  const recording = new Proxy(core, {
    get:
      (_, verb) =>
      async (...args) => {
        const answer = core[verb](...args);
        answers[written([verb, args])] = JSON.parse(written(answer));
        return answer;
      },
  });
  await directPathOf(recording, startingTokens.embedding, null);
  const models = await recording.knownModels();
  await countConfigurations(recording, 'gpt-2');
  // As the section's figure shows it: the first way of tying that its architecture has.
  await countState(recording, { ...presetOf('gpt2', models), tying: 'tied' });
  return answers;
}
