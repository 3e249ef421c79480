import { secrets } from '../../runtime/resources.ts';
import type { Caches } from '../../runtime/caches.ts';
import type { SessionCaller } from '../../rules/access/caller.ts';
import { openTicket, type Ticket } from './cookie.ts';
import { authSecret, type Directory, directoryOf } from './directory.ts';

/** Reads session cookies over what the caches hold of the users. */
export interface Sessions {
  /** Who a cookie belongs to now; null once it has expired, its user signed out or is gone, or it is not ours. */
  readonly callerOf: (cookie: string | null) => SessionCaller | null;
  readonly directory: () => Directory;
  /** Called when users, roles or epochs may have changed. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Opened cookies that are remembered, so that a page's many reads cost one signature. */
const remembered = 1_000;

export function makeSessions(caches: Caches, now: () => number): Sessions {
  const cache = caches.of(secrets);
  const opened = new Map<string, Ticket | null>();
  let openedWith: Buffer | null = null;

  const ticketOf = (cookie: string, key: Buffer): Ticket | null => {
    // Every version of the Secret reads anew, so a changed key is another buffer.
    if (openedWith !== key) {
      opened.clear();
      openedWith = key;
    }
    const known = opened.get(cookie);
    if (known !== undefined) return known;
    if (opened.size >= remembered) opened.clear();
    const ticket = openTicket(cookie, key);
    opened.set(cookie, ticket);
    return ticket;
  };

  const directory = () => directoryOf(cache.get(authSecret));
  return {
    directory,
    callerOf: (cookie) => {
      const { sessionKey, users } = directory();
      if (cookie === null || sessionKey === null) return null;
      const ticket = ticketOf(cookie, sessionKey);
      if (ticket === null || now() >= ticket.expiresAt) return null;
      const user = users.get(ticket.username);
      if (!user || user.epoch !== ticket.epoch) return null;
      return { with: 'session', username: ticket.username, role: user.role, expiresAt: ticket.expiresAt };
    },
    onChange: (listener) =>
      cache.onChange(({ object }) => {
        if (object.metadata.name === authSecret) listener();
      }),
  };
}
