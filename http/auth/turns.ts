import { givesWay, type Origin } from '../../rules/share.ts';
import { rotate } from '../../runtime/embedded/index.ts';

/** A fair queue: clients take turns, however many entries each has added. */
export interface Turns<T extends Origin> {
  /** The entry that is dropped, possibly the new one itself; null where there is room. */
  readonly add: (one: T) => T | null;
  readonly next: () => T | undefined;
}

/** A queue of limited length. Peers take turns, and within each peer its clients. */
export function makeTurns<T extends Origin>(maxWaiting: number): Turns<T> {
  const peers = new Map<string, Map<string, T[]>>();
  const all = () => [...peers.values()].flatMap((addresses) => [...addresses.values()].flat());

  const put = (one: T) => {
    const addresses = peers.get(one.peer) ?? new Map<string, T[]>();
    addresses.set(one.address, [...(addresses.get(one.address) ?? []), one]);
    peers.set(one.peer, addresses);
  };
  const drop = (one: T) => {
    const addresses = peers.get(one.peer);
    const left = addresses?.get(one.address)?.filter((other) => other !== one) ?? [];
    if (left.length > 0) addresses?.set(one.address, left);
    else addresses?.delete(one.address);
    if (addresses?.size === 0) peers.delete(one.peer);
  };
  return {
    add: (one) => {
      const waiting = all();
      const gone = waiting.length < maxWaiting ? null : (givesWay(waiting, one) ?? one);
      if (gone === one) return one;
      if (gone !== null) drop(gone);
      put(one);
      return gone;
    },
    next: () => {
      let taken: T | undefined;
      rotate(peers, (addresses) => {
        rotate(addresses, (ofClient) => {
          taken = ofClient.shift();
          return ofClient.length > 0;
        });
        return addresses.size > 0;
      });
      return taken;
    },
  };
}
