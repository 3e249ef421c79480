/** Where a request comes from: the peer that sent it, and the client it sent it for; the same where nobody is between. */
export interface Origin {
  readonly peer: string;
  readonly address: string;
}

const countOf = (waiting: readonly Origin[], by: keyof Origin): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const one of waiting) counts.set(one[by], (counts.get(one[by]) ?? 0) + 1);
  return counts;
};

/** Whoever has the most, if that is more than a newcomer would have in its place. */
function greediest(waiting: readonly Origin[], by: keyof Origin, asking: Origin): string | null {
  const counts = countOf(waiting, by);
  const own = counts.get(asking[by]) ?? 0;
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most !== undefined && most[1] > own + 1 ? most[0] : null;
}

/**
 * Which of those that wait gives way to one more where there is no room: the last of the client that has the most, of the
 * peer that has the most; null where nobody has more than its share. Peers come first, because what a peer says about
 * its clients it may have made up.
 */
export function givesWay<T extends Origin>(waiting: readonly T[], asking: Origin): T | null {
  const peer = greediest(waiting, 'peer', asking);
  const ofPeer = waiting.filter((one) => one.peer === (peer ?? asking.peer));
  // Whoever is of another peer competes with no client of this one.
  const address = greediest(ofPeer, 'address', peer === null ? asking : { peer: '', address: '' });
  if (peer === null && address === null) return null;
  return ofPeer.findLast((one) => address === null || one.address === address) ?? null;
}
