import { expect, test } from 'vitest';
import { TiedError } from '../../../web/core/runtime/errors.js';
import { shareOut } from '../../../web/core/experiment/share-out.js';

const stopped = () => new TiedError('stopped', 'the worker has stopped');

/** Hosts by name; `act` decides what each does with its work. */
async function share(
  hosts: readonly string[],
  work: readonly string[],
  act: (host: string, work: string) => readonly string[] | undefined | Promise<undefined>,
): Promise<{ done: string[]; closed: string[] }> {
  const done: string[] = [];
  const closed: string[] = [];
  await shareOut(hosts, work, (host) => ({
    act: async (one) => {
      await Promise.resolve();
      const more = await act(host, one);
      done.push(`${host} ${one}`);
      return more ?? [];
    },
    close: () => closed.push(host),
  }));
  return { done, closed };
}

test('every host takes part, and each task is done once', async () => {
  const { done, closed } = await share(['a', 'b'], ['1', '2', '3', '4'], () => undefined);
  expect(done).toEqual(['a 1', 'b 2', 'a 3', 'b 4']);
  expect(closed.sort()).toEqual(['a', 'b']);
});

test('follow-up work of a task comes before waiting work', async () => {
  const { done } = await share(['a'], ['1', '2'], (_, work) => (work === '1' ? ['1 and more'] : undefined));
  expect(done).toEqual(['a 1', 'a 1 and more', 'a 2']);
});

test('another host takes over the work of a stopped host, even after running out of work', async () => {
  let release = (): void => undefined;
  const end = new Promise<void>((resolve) => (release = resolve));
  const { done, closed } = await share(['a', 'b'], ['1', '2'], async (host, work) => {
    if (host === 'b') {
      await end;
      throw stopped();
    }
    if (work === '1') setTimeout(release);
    return undefined;
  });
  expect(done).toEqual(['a 1', 'a 2']);
  expect(closed).toEqual(['a', 'b', 'a']);
});

test('sharing fails with the error of the last stopped host if none is left', async () => {
  const asked: string[] = [];
  const sharing = share(['a', 'b'], ['1', '2', '3'], (host) => {
    asked.push(host);
    throw stopped();
  });
  await expect(sharing).rejects.toMatchObject({ code: 'stopped' });
  expect(asked.sort()).toEqual(['a', 'b']);
});

test('any other error ends sharing, and nothing more is begun', async () => {
  const asked: string[] = [];
  const sharing = share(['a'], ['1', '2'], (_, work) => {
    asked.push(work);
    throw new TiedError('cancelled', 'the experiment was cancelled');
  });
  await expect(sharing).rejects.toMatchObject({ code: 'cancelled' });
  expect(asked).toEqual(['1']);
});
