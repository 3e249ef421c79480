import type { ManagedDatabaseEvent, ManagedDatabaseState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import type { LoginSeen, ManagedDatabaseFacts, ProviderSeen } from './facts.ts';
import { managedKind } from './kind.ts';
import { type ManagedDatabaseLimits, managedDatabaseLimits } from './limits.ts';
import { closed, external, hidden, sentence, withheld } from '../words.ts';
import { engineMessage, managedStarting, startLate } from './message.ts';

type State = ManagedDatabaseState | Absence;
type Event = ManagedDatabaseEvent['type'];

const rule = ruleFor<ManagedDatabaseFacts, State, Event>();
const always = () => true;
const now = { afterMs: 0 };
const requeue = { afterMs: 30_000 };
/** Requeues at the end of a rate limit, if the provider stated it. */
const recheckOf = <Facts>(seen: (facts: Facts) => ProviderSeen | LoginSeen) => ({
  ...requeue,
  reset: (facts: Facts) => {
    const found = seen(facts);
    return found.is === 'failed' ? found.until : undefined;
  },
});

const everywhere = ['Refused', 'Starting', 'LoginIssued', 'Ready'] as const;
const lookingUp = ['(none)', 'Refused'] as const;
const unlessStored = ['(none)', 'Refused', 'Starting', 'Ready'] as const;
const issuing = ['Starting', 'Ready'] as const;

interface Provider {
  readonly provider: Known<ProviderSeen>;
}
interface Login {
  readonly login: Known<LoginSeen>;
}
type Plain = Pick<ManagedDatabaseFacts, 'wanted' | 'engine' | 'failed'>;

/** In absence nothing starts for an unwanted database; other states release it first. */
const isWanted = ({ wanted }: Pick<Plain, 'wanted'>) => wanted === 'wanted';
const failedAt = ({ failed }: Pick<Plain, 'failed'>) => failed?.at;
const whyFailed = ({ failed }: Pick<Plain, 'failed'>) => (failed === null ? '' : `: ${failed.why}`);

const notReady = ({ provider }: Provider) => provider.value.is === 'found' && !provider.value.ready;
const silence = (why: string) => withheld(sentence('ManagedDb did not answer: {why}', { why: hidden(why) }));
const providerMessage = ({ provider, failed }: Provider & Pick<Plain, 'failed'>) =>
  silence(provider.value.is === 'failed' ? provider.value.why : (failed?.why ?? ''));
const loginMessage = ({ login, failed }: Login & Pick<Plain, 'failed'>) =>
  silence(login.value.is === 'failed' ? login.value.why : (failed?.why ?? ''));

/** The events of a managed database: release first, then the state at the provider, then the login. */
export const managedDatabaseEventsWith = (
  limits: ManagedDatabaseLimits,
): readonly EventRule<ManagedDatabaseFacts, State, Event>[] => [
  rule({
    id: 'revoke-failed',
    in: everywhere,
    when: (facts) => failedAt(facts) === 'revoke',
    then: 'revokeFailed',
    says: (facts) => sentence('the login is still to be revoked{whyFailed}', { whyFailed: hidden(whyFailed(facts)) }),
    look: requeue,
  }),
  rule({
    id: 'deleted',
    in: everywhere,
    when: ({ wanted }) => wanted === 'deleting',
    then: 'deletionSeen',
    says: () => closed("the login is revoked; the provider's database stays"),
  }),
  rule({
    id: 'let-go',
    in: everywhere,
    when: ({ wanted }) => wanted === 'unwanted',
    then: 'letGo',
    says: () => closed("the provider is no longer asked for it: the login is revoked, the provider's database stays"),
  }),
  rule({
    id: 'connection-kept',
    in: ['Ready'],
    needs: ['connection'],
    when: ({ connection }) => connection.value === 'present',
    then: 'connectionKept',
    says: () => closed('the connection Secret holds the login'),
  }),

  // A login with a lost password precedes everything else, because the transition to Refused must not leave it behind.
  rule({
    id: 'login-unread',
    in: issuing,
    needs: ['login'],
    when: (facts) => facts.login.value.is === 'failed' || failedAt(facts) === 'issue',
    then: 'providerFailed',
    says: loginMessage,
    look: recheckOf(({ login }: Login) => login.value),
  }),
  rule({
    id: 'stray-login',
    in: issuing,
    needs: ['login'],
    when: ({ login }) => login.value.is === 'live',
    then: 'strayLoginFound',
    says: () => closed('password of a live login is lost; revoking the login'),
    look: now,
  }),

  rule({
    id: 'refusal-stands',
    in: ['Refused'],
    when: ({ generation, refusedGeneration }) => generation === refusedGeneration,
    then: 'refusalStood',
    says: () => closed('refused; change the spec or retry'),
  }),
  rule({
    id: 'held-back',
    in: unlessStored,
    when: (facts) => isWanted(facts) && facts.heldBack !== 'no',
    then: 'heldBack',
    says: ({ heldBack }) =>
      heldBack === 'givenUp'
        ? closed('given up; change the spec, deploy or retry')
        : closed('something else has to be mended before the provider is asked'),
  }),
  rule({
    id: 'engine-refused',
    in: unlessStored,
    when: (facts) => isWanted(facts) && managedKind(facts.engine) === null,
    then: 'engineRefused',
    says: engineMessage,
  }),
  rule({
    id: 'provider-failed',
    in: unlessStored,
    needs: ['provider'],
    when: (facts) => isWanted(facts) && (facts.provider.value.is === 'failed' || failedAt(facts) === 'create'),
    then: 'providerFailed',
    says: providerMessage,
    look: recheckOf(({ provider }: Provider) => provider.value),
  }),
  rule({
    id: 'other-kind',
    in: unlessStored,
    needs: ['provider'],
    when: (facts) =>
      isWanted(facts) && facts.provider.value.is === 'found' && facts.provider.value.kind !== managedKind(facts.engine),
    then: 'otherKindFound',
    says: ({ name, engine, provider }) =>
      withheld(
        sentence('ManagedDb database "{name}" already exists as {kind}, not {managedKind}', {
          name: hidden(name),
          kind: hidden(provider.value.is === 'found' ? provider.value.kind : ''),
          managedKind: hidden(managedKind(engine) ?? 'null'),
        }),
      ),
  }),
  rule({
    id: 'match-found',
    in: lookingUp,
    needs: ['provider'],
    when: (facts) => isWanted(facts) && facts.provider.value.is === 'found',
    then: 'matchFound',
    says: ({ name }) =>
      withheld(sentence('ManagedDb has a matching database "{name}"; using it', { name: hidden(name) })),
    look: now,
  }),
  rule({
    id: 'database-missing',
    in: unlessStored,
    needs: ['provider'],
    when: (facts) => isWanted(facts) && facts.provider.value.is === 'absent',
    then: 'databaseMissing',
    says: ({ name }) => withheld(sentence('created database "{name}" in ManagedDb', { name: hidden(name) })),
    look: requeue,
  }),
  rule({
    id: 'start-awaited',
    in: ['Starting'],
    needs: ['provider'],
    when: (facts) => notReady(facts) && facts.now - (facts.startedAt ?? facts.now) < limits.startMs,
    then: 'startAwaited',
    says: () => managedStarting,
    look: requeue,
  }),
  rule({
    id: 'start-overdue',
    in: ['Starting'],
    needs: ['provider'],
    when: notReady,
    then: 'startOverdue',
    says: () => startLate,
    look: requeue,
  }),
  rule({
    id: 'connection-found',
    in: ['Starting'],
    needs: ['connection'],
    when: ({ connection }) => connection.value === 'present',
    then: 'connectionFound',
    says: () => closed('the connection Secret is there already: no login is issued'),
  }),
  rule({
    id: 'store-retry',
    in: ['Starting'],
    when: ({ now, storeFailedAt }) => storeFailedAt !== null && now - storeFailedAt < limits.storeRetryMs,
    then: 'storeRetryAwaited',
    says: () => closed('the last login could not be stored: the next one waits'),
    look: requeue,
  }),
  rule({
    id: 'no-claim',
    in: issuing,
    when: ({ claimed }) => !claimed,
    then: 'loginUnclaimed',
    says: () => closed('login named before it is created'),
    look: now,
  }),
  rule({
    id: 'login-due',
    in: ['Starting'],
    when: always,
    then: 'loginDue',
    says: () => closed('ManagedDb database is ready: a login was issued on its main branch'),
    look: now,
  }),

  rule({
    id: 'already-stored',
    in: ['LoginIssued'],
    needs: ['connection'],
    when: ({ connection }) => connection.value === 'present',
    then: 'loginStored',
    says: () => closed('the login is in the connection Secret'),
  }),
  rule({
    id: 'store-failed',
    in: ['LoginIssued'],
    when: (facts) => failedAt(facts) === 'store',
    then: 'storeFailed',
    says: ({ failed }) => external(failed?.why ?? ''),
    look: requeue,
  }),
  rule({
    id: 'password-lost',
    in: ['LoginIssued'],
    when: ({ passwordHeld }) => !passwordHeld,
    then: 'passwordLost',
    says: () => closed('the password was shown once and is lost: the login is revoked'),
    look: now,
  }),
  rule({
    id: 'stored',
    in: ['LoginIssued'],
    when: always,
    then: 'loginStored',
    says: () => closed('the login was stored in the connection Secret'),
  }),
  rule({
    id: 'connection-deleted',
    in: ['Ready'],
    when: always,
    then: 'connectionDeleted',
    says: () => closed('the connection Secret was deleted: a new login was issued'),
    look: now,
  }),
];

export const managedDatabaseEvents = managedDatabaseEventsWith(managedDatabaseLimits);
