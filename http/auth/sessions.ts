import { secrets } from '../../runtime/resources.ts';
import type { Caches } from '../../runtime/caches.ts';
import type { SessionCaller } from '../../rules/access/caller.ts';
import { openTicket } from './cookie.ts';
import { authSecret, type Directory, directoryOf } from './directory.ts';
import { callerWith } from './session.ts';

/** Reads session cookies over what the caches hold of the users. */
export interface Sessions {
  /** Who a cookie belongs to now; null once it has expired, its user signed out or is gone, or it is not ours. */
  readonly callerOf: (cookie: string | null) => SessionCaller | null;
  readonly directory: () => Directory;
  /** Called when users, roles or epochs may have changed. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Cookies whose callers are remembered, so that a page's many reads cost one signature and one decision. */
const remembered = 1_000;

export function makeSessions(caches: Caches, now: () => number): Sessions {
  const cache = caches.of(secrets);
  let admitted = new Map<string, SessionCaller>();
  let admittedOver: Directory | null = null;

  const directory = () => directoryOf(cache.get(authSecret));
  return {
    directory,
    callerOf: (cookie) => {
      const users = directory();
      if (cookie === null || users.sessionKey === null) return null;
      if (admittedOver !== users || admitted.size >= remembered) admitted = new Map();
      admittedOver = users;
      const before = admitted.get(cookie);
      // Until then nothing but the Secret decides, and it is as it was.
      if (before && now() < before.expiresAt) return before;
      const ticket = openTicket(cookie, users.sessionKey);
      const caller = ticket && callerWith(ticket, users.users.get(ticket.username), now());
      if (caller) admitted.set(cookie, caller);
      return caller;
    },
    onChange: (listener) =>
      cache.onChange(({ object }) => {
        if (object.metadata.name === authSecret) listener();
      }),
  };
}
