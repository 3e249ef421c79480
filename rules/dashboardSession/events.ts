import type { DashboardSessionEvent, DashboardSessionState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { DashboardSessionFacts } from './facts.ts';
import { closed, sentence, toViewers } from '../words.ts';
import { signInRefused } from '../nameLockout/answer.ts';

type SessionRule = EventRule<DashboardSessionFacts, DashboardSessionState | Absence, DashboardSessionEvent['type']>;
const rule = ruleFor<DashboardSessionFacts, DashboardSessionState | Absence, DashboardSessionEvent['type']>();

/** Every number that the rules compare with. */
export const dashboardSessionLimits = { lifetimeMs: 12 * 3_600_000, clocksDifferMs: 300_000 } as const;
type DashboardSessionLimits = Readonly<Record<keyof typeof dashboardSessionLimits, number>>;

const always = () => true;
const signInFirst = () => closed('sign in first');
const signIn = ['signIn'] as const;
const request = ['request'] as const;

/** The rules with limits other than the documents'. */
export const dashboardSessionEventsWith = (limits: DashboardSessionLimits): readonly SessionRule[] => {
  const expiry = {
    at: 'expiry',
    moment: ({ signedInAt }: Pick<DashboardSessionFacts, 'signedInAt'>) => signedInAt + limits.lifetimeMs,
  };

  return [
    rule({
      id: 'stranger-refused',
      in: ['(none)'],
      answers: request,
      when: always,
      then: 'strangerRefused',
      says: signInFirst,
    }),
    rule({
      id: 'signed-in',
      in: ['(none)'],
      answers: signIn,
      needs: ['passwordRight'],
      when: (facts) => facts.passwordRight.value && !facts.nameLocked,
      then: 'signedIn',
      says: () => closed('signed in for 12 hours'),
      look: expiry,
    }),
    rule({
      id: 'sign-in-refused',
      in: ['(none)'],
      answers: signIn,
      when: always,
      then: 'signInRefused',
      says: () => signInRefused,
    }),

    rule({
      id: 'expired',
      in: ['Active'],
      finds: true,
      // A sign-in time in the future comes from a clock that was set back since; the session would outlast its
      // lifetime.
      when: ({ now, signedInAt }) => now >= signedInAt + limits.lifetimeMs || signedInAt > now + limits.clocksDifferMs,
      then: 'expired',
      says: () => closed('its 12 hours are over'),
    }),
    rule({
      id: 'user-removed',
      in: ['Active'],
      finds: true,
      when: ({ user }) => user.is === 'absent',
      then: 'userRemoved',
      says: () => closed('its user was removed'),
    }),
    rule({
      id: 'epoch-bumped',
      in: ['Active'],
      finds: true,
      when: ({ user, epoch }) => user.is === 'present' && user.epoch !== epoch,
      then: 'epochBumped',
      says: () => closed('its user signed out'),
    }),
    rule({
      id: 'used-with-new-role',
      in: ['Active'],
      answers: request,
      when: (facts) => facts.user.is === 'present' && facts.user.role !== facts.role,
      then: 'usedWithNewRole',
      says: ({ user }) =>
        sentence('its user is {role} by now', { role: toViewers(user.is === 'present' ? user.role : 'gone') }),
      look: expiry,
    }),
    rule({
      id: 'used',
      in: ['Active'],
      answers: request,
      when: always,
      then: 'used',
      says: ({ role }) => sentence('a request of {role}', { role: toViewers(role) }),
      look: expiry,
    }),
    rule({
      id: 'sign-out-asked',
      in: ['Active'],
      answers: ['signOut'],
      when: always,
      then: 'signOutAsked',
      says: () => closed('its user signs out'),
    }),
    rule({
      id: 'expiry-awaited',
      in: ['Active'],
      when: always,
      then: 'expiryAwaited',
      says: () => closed('active until 12 hours after the sign-in'),
      look: expiry,
    }),
    rule({
      id: 'used-after-end',
      in: ['Expired', 'Ended'],
      answers: request,
      when: always,
      then: 'usedAfterEnd',
      says: signInFirst,
    }),
  ];
};

/** The events of a session, in the order checked. */
export const dashboardSessionEvents = dashboardSessionEventsWith(dashboardSessionLimits);
