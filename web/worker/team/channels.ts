/** Channels between every two of these places: by place, its ports to the others. */
export function channelsBetween(places: readonly number[]): Map<number, Map<number, MessagePort>> {
  const ports = new Map(places.map((place) => [place, new Map<number, MessagePort>()]));
  for (const one of places)
    for (const other of places) {
      if (one >= other) continue;
      const { port1, port2 } = new MessageChannel();
      ports.get(one)!.set(other, port1);
      ports.get(other)!.set(one, port2);
    }
  return ports;
}
