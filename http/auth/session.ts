import { dashboardSession } from '../../machines/dashboardSession.ts';
import type { DashboardSessionEvent, DashboardSessionState } from '../../machines/names.ts';
import { tables } from '../../machines/tables.ts';
import type { SessionCaller } from '../../rules/access/caller.ts';
import { dashboardSessionEvents } from '../../rules/dashboardSession/events.ts';
import type { DashboardSessionFacts, UserSeen } from '../../rules/dashboardSession/facts.ts';
import { byState } from '../../rules/engine.ts';
import { known, unasked } from '../../rules/fact.ts';
import { transitionOf } from '../../runtime/step/transitionOf.ts';
import type { Stepper } from '../../runtime/contract/stepper.ts';
import { sessionMs, type Ticket } from './cookie.ts';

export const sessionStepper: Stepper<DashboardSessionFacts, DashboardSessionState, DashboardSessionEvent['type']> = {
  name: 'dashboardSession',
  storage: 'cookie',
  machine: dashboardSession,
  rules: byState(dashboardSessionEvents),
  ...tables.dashboardSession,
};

/** The caller of a sealed cookie now; null once the session is over, or its user signed out or is gone. */
export function callerWith(ticket: Ticket, user: UserSeen, now: number): SessionCaller | null {
  const { username, role, epoch, expiresAt } = ticket;
  let state: DashboardSessionState = 'Active';
  for (;;) {
    const { actions, to } = transitionOf(sessionStepper, state, {
      now,
      asked: 'request',
      nameLocked: false,
      passwordRight: unasked,
      signedInAt: expiresAt - sessionMs,
      role,
      epoch,
      user,
    });
    if (user.is === 'present' && actions.some((action) => action === 'serve' || action === 'serveAsNow'))
      return { with: 'session', username, role: user.role, expiresAt };
    if (actions.includes('refuse')) return null;
    state = to as DashboardSessionState;
  }
}

/** The result of an admitted sign-in: a ticket to be sealed, or the text of a refusal. */
export function signedIn({ username, role, epoch }: Omit<Ticket, 'expiresAt'>, now: number): Ticket {
  const { event } = transitionOf(sessionStepper, '(none)', {
    now,
    asked: 'signIn',
    nameLocked: false,
    passwordRight: known(true),
    signedInAt: now,
    role,
    epoch,
    user: { is: 'present', role, epoch },
  });
  const admitted: DashboardSessionEvent['type'] = 'signedIn';
  if (event !== admitted) throw new Error(`${event} at a sign-in that was let in`);
  return { username, role, epoch, expiresAt: now + sessionMs };
}
