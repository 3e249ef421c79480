import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import type { Epochs } from '../../rules/dashboardSession/epochs.ts';
import type { UserSeen } from '../../rules/dashboardSession/facts.ts';
import type { SessionCaller } from '../../rules/access/caller.ts';
import { openTicket } from './cookie.ts';
import { authSecret, type Directory, directoryOf } from './directory.ts';
import type { EpochKeeper } from './epochs.ts';
import { callerWith } from './session.ts';

/** Reads session cookies against the cached users. */
export interface Sessions {
  /** The user of a cookie now; null once it has expired, its user signed out or is gone, or the cookie is not ours. */
  readonly callerOf: (cookie: string | null) => SessionCaller | null;
  readonly directory: () => Directory;
  /** Called when users, roles or epochs may have changed. */
  readonly onChange: (listener: () => void) => () => void;
}

/** A caller, and when the rules admitted them; an earlier time means that the clock was set back. */
interface Admitted {
  readonly caller: SessionCaller;
  readonly at: number;
}

/** Cookies whose callers are remembered, so that the many reads of a page cost one signature check and one decision. */
const remembered = 1_000;

export function makeSessions(caches: Caches, epochs: EpochKeeper, now: () => number): Sessions {
  const cache = caches.of(secrets);
  let admitted = new Map<string, Admitted>();
  let admittedOver: { readonly users: Directory; readonly epochs: Epochs } | null = null;

  const directory = () => directoryOf(cache.get(authSecret));
  const seenOf = (username: string, { users }: Directory): UserSeen => {
    const user = users.get(username);
    const epoch = epochs.of(username);
    return user === undefined || epoch === null ? { is: 'absent' } : { is: 'present', role: user.role, epoch };
  };
  return {
    directory,
    callerOf: (cookie) => {
      const users = directory();
      if (cookie === null || users.sessionKey === null) return null;
      const isAsItWas = admittedOver?.users === users && admittedOver.epochs === epochs.current();
      if (!isAsItWas || admitted.size >= remembered) admitted = new Map();
      if (!isAsItWas) admittedOver = { users, epochs: epochs.current() };
      const before = admitted.get(cookie);
      // Before it expires, only the Secrets decide about a session, and they have not changed.
      if (before && now() >= before.at && now() < before.caller.expiresAt) return before.caller;
      const ticket = openTicket(cookie, users.sessionKey);
      const caller = ticket && callerWith(ticket, seenOf(ticket.username, users), now());
      if (caller) admitted.set(cookie, { caller, at: now() });
      return caller;
    },
    onChange: epochs.onChange,
  };
}
