import { Effect } from 'effect';
import * as lease from '../../../runtime/lead/lease.ts';
import * as leaseWriter from '../../../runtime/lead/leaseWriter.ts';
import { leases } from '../../../runtime/lead/leaseRecord.ts';
import * as leaseView from '../../../runtime/lead/leaseView.ts';
import * as gate from '../../../runtime/services/gate.ts';
import { monotonicMs } from '../../../runtime/services/monotonic.ts';
import { type Bug, replaced } from './bug.ts';
import { withCluster } from './decorators.ts';

/** Bugs in leader election and in the permission to write. */
export const leaseBugs: readonly Bug[] = [
  {
    name: 'writes go through without the lease',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a process that stood still writes on, though another leads',
    plant: replaced(gate, 'fenced', () => (open) => open),
  },
  {
    name: 'lease never runs out',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a process that led once believes that it leads until it hears otherwise',
    plant: replaced(
      lease,
      'makeLease',
      (original) => (options) =>
        Effect.map(original(options), ({ during, ...made }) => {
          let isLeading = false;
          const leads = (now: boolean) => Effect.sync(() => void (isLeading = now));
          return {
            ...made,
            isHeld: Effect.sync(() => isLeading),
            during: (term) => during(Effect.ensuring(Effect.andThen(leads(true), term), leads(false))),
          };
        }),
    ),
  },
  {
    name: 'lease counted from the answer',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'the time of a lease is counted from when its renewal was answered',
    unseen: 'the lease is answered at once here: specs/runtime/lead lets it wait',
    plant: replaced(
      leaseWriter,
      'timed',
      () => (send) =>
        Effect.gen(function* () {
          return { stored: yield* send, sentAt: yield* monotonicMs };
        }),
    ),
  },
  {
    name: 'lease taken over any version',
    family: 'missing precondition',
    text: 'a lease is taken whoever has taken it meanwhile',
    unseen: 'one stand-by alone races with nobody: specs/runtime/lead has more of them',
    plant: withCluster((cluster) => ({
      ...cluster,
      patch: (resource, name, patch, over) =>
        cluster.patch(resource, name, patch, resource.kind === leases.kind ? {} : over),
    })),
    by: ['leader dies, stand-by takes over'],
  },
  {
    name: 'lease taken from the living',
    family: 'un-fenced leader',
    on: /^checks are awaited|^the connection comes late/,
    text: 'a lease is taken from a holder who renews it',
    plant: replaced(leaseView, 'heldByOther', () => () => null),
  },
  {
    name: 'stand-by never takes over',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a holder who is dead keeps the lease for ever',
    plant: replaced(leaseView, 'heldByOther', (original) => (seen, identity) => original(seen, identity, seen.since)),
  },
  {
    name: 'lost lease unnoticed',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a process that finds the lease in other hands goes on with its term',
    unseen: 'the gate lets nothing through once the lease may have run out',
    plant: replaced(
      lease,
      'whyLost',
      (original) =>
        (kept, ...rest) =>
          original(kept === false ? true : kept, ...rest),
    ),
  },
  {
    name: 'lease kept through by failing renewals',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a lease that could not be renewed in time is not given up',
    unseen: 'the gate lets nothing through once the lease may have run out',
    plant: replaced(lease, 'whyLost', (original) => (kept, _, trouble) => original(kept, 1, trouble)),
  },
];
