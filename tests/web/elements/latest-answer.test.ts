import { describe, expect, it } from 'vitest';
import { LatestAnswer } from '../../../web/elements/shared/latest-answer.js';

/** A lab that answers when it is told to. */
function slow() {
  const open: { question: number; answer: (value: number) => void; refuse: (error: Error) => void }[] = [];
  const asked: number[] = [];
  const heard: [number, number][] = [];
  const failed: number[] = [];
  const answers = new LatestAnswer<number, number>(
    (question) => {
      asked.push(question);
      return new Promise((answer, refuse) => open.push({ question, answer, refuse }));
    },
    (answer, question) => heard.push([question, answer]),
    (_error, question) => failed.push(question),
  );
  const next = async (act: (entry: (typeof open)[number]) => void): Promise<void> => {
    const entry = open.shift();
    if (entry === undefined) throw new Error('nothing was asked');
    act(entry);
    await new Promise((done) => setTimeout(done));
  };
  return { answers, asked, heard, failed, next };
}

describe('LatestAnswer', () => {
  it('asks one question at a time and drops all that waited but the newest', async () => {
    const { answers, asked, heard, next } = slow();
    for (const question of [1, 2, 3, 4]) answers.request(question);
    expect(asked).toEqual([1]);
    await next(({ answer }) => {
      answer(10);
    });
    expect(asked).toEqual([1, 4]);
    await next(({ answer }) => {
      answer(40);
    });
    expect(heard).toEqual([
      [1, 10],
      [4, 40],
    ]);
    expect(answers.pending).toBe(false);
  });

  it('goes on after a refusal, which is told unless something newer waits', async () => {
    const { answers, asked, heard, failed, next } = slow();
    answers.request(1);
    answers.request(2);
    await next(({ refuse }) => {
      refuse(new Error('no'));
    });
    expect(failed).toEqual([]);
    await next(({ answer }) => {
      answer(20);
    });
    answers.request(3);
    await next(({ refuse }) => {
      refuse(new Error('no'));
    });
    expect(failed).toEqual([3]);
    answers.request(4);
    await next(({ answer }) => {
      answer(40);
    });
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(heard).toEqual([
      [2, 20],
      [4, 40],
    ]);
  });
});
