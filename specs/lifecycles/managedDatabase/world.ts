import type { ManagedDatabaseState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ManagedDatabaseFacts } from '../../../rules/managedDatabase/facts.ts';

/** What the provider, the cluster and this process store; logins are counted and never named. */
export interface World {
  readonly state: ManagedDatabaseState | '(none)' | '(deleted)';
  readonly wanted: ManagedDatabaseFacts['wanted'];
  readonly engine: 'MySQL' | 'Redis';
  readonly at: 'absent' | 'starting' | 'ready' | 'otherKind';
  /** Whether the provider responds. */
  readonly up: boolean;
  /** Whether Secrets can be written. */
  readonly writable: boolean;
  readonly changed: boolean;
  /** The row of failures was given up. */
  readonly givenUp: boolean;
  readonly overdue: boolean;
  /** Less than 30 s have passed since a login could not be stored. */
  readonly justFailed: boolean;
  readonly claimed: boolean;
  readonly held: boolean;
  /** The login of the claimed name. */
  readonly live: boolean;
  /** Live logins that no claim names any longer. */
  readonly orphans: number;
  /** Whose login the connection Secret holds: one written by a person, the live one, or a revoked one. */
  readonly secret: 'none' | 'byHand' | 'live' | 'dead';
  readonly mistake: 'none' | 'createdTwice' | 'adopted';
}

const halfHour = 1_800_000;

/** The facts that a pass would observe in a world. */
export function factsOf(world: World): ManagedDatabaseFacts {
  return {
    now: world.overdue ? halfHour : 0,
    wanted: world.wanted,
    heldBack: world.givenUp ? 'givenUp' : 'no',
    engine: world.engine,
    name: 'shop',
    generation: world.changed ? 2 : 1,
    refusedGeneration: world.state === 'Refused' ? 1 : null,
    startedAt: 0,
    storeFailedAt: world.justFailed ? (world.overdue ? halfHour : 0) : null,
    claimed: world.claimed,
    passwordHeld: world.held,
    provider: known(providerOf(world)),
    login: known(world.up ? { is: world.live ? 'live' : 'none' } : { is: 'failed', why: 'timeout', counts: 'waiting' }),
    connection: known(world.secret === 'none' ? 'absent' : 'present'),
    failed: failedOf(world),
  };
}

function providerOf({ up, at }: World) {
  if (!up) return { is: 'failed', why: 'timeout', counts: 'waiting' } as const;
  if (at === 'absent') return { is: 'absent' } as const;
  return { is: 'found', kind: at === 'otherKind' ? 'postgresql' : 'mysql', ready: at !== 'starting' } as const;
}

/** The result of an action in this pass: revoking needs the provider, storing needs the cluster. */
function failedOf({ state, wanted, up, writable, live, held, secret }: World): ManagedDatabaseFacts['failed'] {
  const storing = state === 'LoginIssued' && wanted === 'wanted' && secret === 'none';
  const revoking = wanted !== 'wanted' || (storing && !(held && writable));
  if (revoking && live && !up) return { at: 'revoke', why: 'timeout' };
  return storing && held && !writable ? { at: 'store', why: 'forbidden' } : null;
}
