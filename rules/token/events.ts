import type { TokenEvent, TokenState } from '../../machines/names.ts';
import { deviceLimits } from '../deviceSignIn/events.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { TokenFacts } from './facts.ts';
import { yearsAfter } from './years.ts';
import { closed, sentence, toViewers } from '../words.ts';

type TokenRule = EventRule<TokenFacts, TokenState | Absence, TokenEvent['type']>;
const rule = ruleFor<TokenFacts, TokenState | Absence, TokenEvent['type']>();

/** Every number that the rules compare with; the lifetimes are those that a device sign-in offers. */
export const tokenLimits = {
  useRecordedMs: 600_000,
  yearsMost: 10,
  shortDays: deviceLimits.shortDays,
  middleDays: deviceLimits.middleDays,
  longDays: deviceLimits.longDays,
} as const;
type TokenLimits = Readonly<Record<keyof typeof tokenLimits, number>>;

const always = () => true;
const create = ['create'] as const;
const collect = ['collect'] as const;
const use = ['use'] as const;
const revoke = ['revoke'] as const;
const askerOf = ({ asked }: TokenFacts) => (asked?.is === 'create' || asked?.is === 'revoke' ? asked.by : undefined);

const unknownMessage = () => closed('the API token is not valid');
const present = ['Active', 'Expired'] as const;

/** The rules with limits other than the documents'. The caller is checked before the command. */
export const tokenEventsWith = (limits: TokenLimits): readonly TokenRule[] => {
  const lifetimes = [limits.shortDays, limits.middleDays, limits.longDays];
  const isOffered = ({ now, asked }: TokenFacts) =>
    asked?.is === 'create' &&
    (asked.expiresAt === null || (asked.expiresAt > now && asked.expiresAt <= yearsAfter(now, limits.yearsMost)));

  return [
    rule({
      id: 'token-creates',
      in: ['(none)'],
      answers: create,
      when: (facts) => askerOf(facts)?.with === 'token',
      then: 'tokenTriedToCreate',
      says: () => closed('an API token cannot create another: an admin has to, signed in to the dashboard'),
    }),
    rule({
      id: 'viewer-creates',
      in: ['(none)'],
      answers: create,
      when: (facts) => askerOf(facts)?.role !== 'admin',
      then: 'viewerTriedToCreate',
      says: () => closed('only an admin creates API tokens'),
    }),
    rule({
      id: 'expiry-refused',
      in: ['(none)'],
      answers: create,
      when: (facts) => !isOffered(facts),
      then: 'expiryRefused',
      says: () =>
        sentence('a token expires within {yearsMost} years, or never', { yearsMost: toViewers(limits.yearsMost) }),
    }),
    rule({
      id: 'created',
      in: ['(none)'],
      answers: create,
      when: always,
      then: 'created',
      says: () => closed('token created by an admin; the secret is shown once'),
    }),
    rule({
      id: 'lifetime-refused',
      in: ['(none)'],
      answers: collect,
      when: ({ asked }) => asked?.is === 'collect' && !lifetimes.includes(asked.lifetimeDays),
      then: 'lifetimeRefused',
      says: () =>
        sentence('a device is signed in for one of {lifetimes} days', { lifetimes: toViewers(lifetimes.join(', ')) }),
    }),
    rule({
      id: 'collected',
      in: ['(none)'],
      answers: collect,
      when: always,
      then: 'collected',
      says: () => closed('a device collected it after an admin approved its sign-in'),
    }),
    rule({
      id: 'unknown-token-used',
      in: ['(none)'],
      answers: use,
      when: always,
      then: 'unknownTokenUsed',
      says: unknownMessage,
    }),

    rule({
      id: 'expired',
      in: ['Active'],
      finds: true,
      when: ({ now, expiresAt }) => expiresAt !== null && now >= expiresAt,
      then: 'expired',
      says: () => closed('its expiry has passed'),
    }),
    rule({
      id: 'token-revokes',
      in: present,
      answers: revoke,
      when: (facts) => askerOf(facts)?.with === 'token',
      then: 'tokenTriedToRevoke',
      says: () => closed('an API token cannot revoke one: an admin has to, signed in to the dashboard'),
    }),
    rule({
      id: 'viewer-revokes',
      in: present,
      answers: revoke,
      when: (facts) => askerOf(facts)?.role !== 'admin',
      then: 'viewerTriedToRevoke',
      says: () => closed('only an admin revokes API tokens'),
    }),
    rule({
      id: 'revoked',
      in: present,
      answers: revoke,
      when: always,
      then: 'revoked',
      says: () => closed('revoked by an admin'),
    }),
    rule({
      id: 'project-deleted',
      in: present,
      answers: ['deleteProject'],
      when: ({ asked, project }) => asked?.is === 'deleteProject' && project !== null && asked.project === project,
      then: 'projectDeleted',
      says: ({ project }) => sentence('the project "{project}" was deleted', { project: toViewers(project ?? '') }),
    }),
    rule({
      id: 'environment-deleted',
      in: present,
      answers: ['deleteEnvironment'],
      when: ({ asked, project, environment }) =>
        asked?.is === 'deleteEnvironment' &&
        project !== null &&
        asked.project === project &&
        asked.environment === environment,
      then: 'environmentDeleted',
      says: ({ project, environment }) =>
        sentence('the environment "{environment}" of the project "{project}" was deleted', {
          environment: toViewers(environment ?? ''),
          project: toViewers(project ?? ''),
        }),
    }),
    rule({
      id: 'wrong-secret',
      in: ['Active'],
      answers: use,
      when: ({ asked }) => asked?.is === 'use' && !asked.secretRight,
      then: 'wrongSecretUsed',
      says: unknownMessage,
    }),
    rule({
      id: 'used-after-pause',
      in: ['Active'],
      answers: use,
      // A last use in the future comes from a clock that was set back since.
      when: (facts) => facts.lastUsedAt === null || Math.abs(facts.now - facts.lastUsedAt) >= limits.useRecordedMs,
      then: 'usedAfterPause',
      says: () => closed('used; the time is recorded'),
    }),
    rule({
      id: 'used',
      in: ['Active'],
      answers: use,
      when: always,
      then: 'used',
      says: () => closed('used; a recent use is recorded already'),
    }),
    rule({
      id: 'use-awaited',
      in: ['Active'],
      when: always,
      then: 'useAwaited',
      says: ({ expiresAt }) =>
        expiresAt === null ? closed('active; it never expires') : closed('active until its expiry'),
    }),
    rule({
      id: 'used-after-end',
      in: ['Expired', 'Revoked'],
      answers: use,
      when: always,
      then: 'usedAfterEnd',
      says: unknownMessage,
    }),
  ];
};

/** The events of an API token, in the order checked. */
export const tokenEvents = tokenEventsWith(tokenLimits);
