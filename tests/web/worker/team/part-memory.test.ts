// Memory in which parts of gradients reach other workers: who gets a copy, and when memory is used again.
import { describe, expect, test } from 'vitest';
import { movedMemory, sharedMemory } from '../../../../web/worker/team/part-memory.js';

const part = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);
const at = (step: number, epoch = 1) => ({ epoch, step });

describe('memory that moves', () => {
  test('is copied for each member', () => {
    const memory = movedMemory();
    const given = part(1, 2, 3);
    const copies = memory.copies(given, [4, 7], at(0), 0);
    given.fill(9);
    expect(copies).toEqual([part(1, 2, 3), part(1, 2, 3)]);
    expect(new Set([given, ...copies].map(({ buffer }) => buffer)).size).toBe(3);
  });

  test('of a message goes back to its sender, with a part that fits in it', () => {
    const memory = movedMemory();
    const received = [part(1, 1, 1, 1), part(2, 2, 2, 2, 2, 2)];
    memory.used(received, 4);
    const [[other], [first], [second], [third]] = [
      memory.copies(part(1, 2), [5], at(1), 0),
      memory.copies(part(1, 2, 3), [4], at(1), 0),
      memory.copies(part(5, 6, 7, 8, 9), [4], at(1), 1),
      memory.copies(part(3), [4], at(1), 2),
    ];
    expect([other, first, second, third]).toEqual([part(1, 2), part(1, 2, 3), part(5, 6, 7, 8, 9), part(3)]);
    expect(first!.buffer).toBe(received[1]!.buffer);
    for (const { buffer } of received) expect([other!.buffer, second!.buffer, third!.buffer]).not.toContain(buffer);
  });

  test('is kept for one message only', () => {
    const memory = movedMemory();
    const old = part(1);
    memory.used([old], 4);
    memory.used([part(2)], 4);
    memory.copies(part(3), [4], at(1), 0);
    const [copy] = memory.copies(part(4), [4], at(1), 1);
    expect(copy!.buffer).not.toBe(old.buffer);
  });
});

describe('memory that is shared', () => {
  test('is one copy for all members', () => {
    const [one, other] = sharedMemory().copies(part(1, 2, 3), [1, 2], at(0), 0);
    expect(one).toBe(other);
    expect(one!.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect([...one!]).toEqual([1, 2, 3]);
  });

  test('is used again two steps later, if the part still fits', () => {
    const memory = sharedMemory();
    const [of0, of1, of2, of3, of4] = [3, 3, 2, 3, 4].map(
      (size, step) => memory.copies(new Uint8Array(size).fill(step), [1], at(step), 0)[0]!,
    );
    expect(of2!.buffer).toBe(of0!.buffer);
    expect(of3!.buffer).toBe(of1!.buffer);
    expect(of1!.buffer).not.toBe(of0!.buffer);
    expect([...of2!]).toEqual([2, 2]);
    expect([...of4!]).toEqual([4, 4, 4, 4]);
  });

  test('is not used again for another part of a step or in another epoch', () => {
    const memory = sharedMemory();
    const buffers = [
      memory.copies(part(1), [1], at(0), 0),
      memory.copies(part(1), [1], at(0), 1),
      memory.copies(part(1), [1], at(2, 2), 0),
    ].map(([copy]) => copy!.buffer);
    expect(new Set(buffers).size).toBe(3);
  });
});
