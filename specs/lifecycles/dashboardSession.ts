import { dashboardSession } from '../../machines/dashboardSession.ts';
import type { DashboardSessionEvent, DashboardSessionState } from '../../machines/names.ts';
import {
  dashboardSessionEvents,
  dashboardSessionEventsWith,
  dashboardSessionLimits,
} from '../../rules/dashboardSession/events.ts';
import type { DashboardSessionFacts } from '../../rules/dashboardSession/facts.ts';
import type { Absence } from '../../rules/engine.ts';
import { subject } from '../check/subject.ts';
import { dashboardSessionFacts, invalidDashboardSessionFacts } from './dashboardSession/facts.ts';
import { dashboardSessionModel } from './dashboardSession/model.ts';

/** Twelve hours old, or with a time five minutes away. */
const isOver = (age: number) => age >= 43_200_000 || age < -300_000;

/** The documents on sessions, as plain ifs. */
function documents(
  state: DashboardSessionState | Absence,
  facts: DashboardSessionFacts,
): DashboardSessionEvent['type'] | null {
  if (state === '(none)') return absentEvent(facts);
  if (state === 'Active') return active(facts);
  return facts.asked === 'request' ? 'usedAfterEnd' : null;
}

function absentEvent({
  asked,
  nameLocked,
  passwordRight,
}: DashboardSessionFacts): DashboardSessionEvent['type'] | null {
  if (asked === 'request') return 'strangerRefused';
  if (asked !== 'signIn') return null;
  const isRight = passwordRight.is === 'known' && passwordRight.value;
  return isRight && !nameLocked ? 'signedIn' : 'signInRefused';
}

function active({
  now,
  asked,
  signedInAt,
  role,
  epoch,
  user,
}: DashboardSessionFacts): DashboardSessionEvent['type'] | null {
  if (isOver(now - signedInAt)) return 'expired';
  if (user.is === 'absent') return 'userRemoved';
  if (epoch < user.epoch || epoch > user.epoch) return 'epochBumped';
  if (asked === null) return 'expiryAwaited';
  if (asked === 'signOut') return 'signOutAsked';
  if (asked === 'signIn') return null;
  return role === user.role ? 'used' : 'usedWithNewRole';
}

/** A signed-in person's session. */
export const lifecycle = subject({
  name: 'dashboardSession',
  machine: dashboardSession,
  rules: dashboardSessionEvents,
  files: { machine: 'machines/dashboardSession.ts', rules: 'rules/dashboardSession/events.ts' },
  limits: {
    values: dashboardSessionLimits,
    rules: (values) => dashboardSessionEventsWith({ ...dashboardSessionLimits, ...values }),
  },
  provisional: false,
  facts: dashboardSessionFacts,
  invalid: invalidDashboardSessionFacts,
  documents,
  model: dashboardSessionModel,
});
