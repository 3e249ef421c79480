/**
 * The origin of a request: the peer that sent it, and the client that the peer sent it for; both are the same without a
 * proxy.
 */
export interface Origin {
  readonly peer: string;
  readonly address: string;
}

const countOf = (waiting: readonly Origin[], by: keyof Origin): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const one of waiting) counts.set(one[by], (counts.get(one[by]) ?? 0) + 1);
  return counts;
};

/** The origin with the most requests, if it has more than the new request's origin would have in its place. */
function greediest(waiting: readonly Origin[], by: keyof Origin, asking: Origin): string | null {
  const counts = countOf(waiting, by);
  const own = counts.get(asking[by]) ?? 0;
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most !== undefined && most[1] > own + 1 ? most[0] : null;
}

/**
 * Which waiting request is dropped for a new one when the queue is full: the last one of the busiest client of the
 * busiest peer; null when no origin exceeds its share. Peers come first, because a peer can invent the addresses of its
 * clients.
 */
export function givesWay<T extends Origin>(waiting: readonly T[], asking: Origin): T | null {
  const peer = greediest(waiting, 'peer', asking);
  const ofPeer = waiting.filter((one) => one.peer === (peer ?? asking.peer));
  // A request from another peer does not compete with the clients of this one.
  const address = greediest(ofPeer, 'address', peer === null ? asking : { peer: '', address: '' });
  if (peer === null && address === null) return null;
  return ofPeer.findLast((one) => address === null || one.address === address) ?? null;
}
