import { type Bug, patched } from './bug.ts';

const lease = 'runtime/lead/lease.ts';
const leaseView = 'runtime/lead/leaseView.ts';

/** Bugs in leader election and in the permission to write. */
export const leasePatches: readonly Bug[] = [
  {
    name: 'writes go through without the lease',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a process that stood still writes on, though another leads',
    plant: patched(
      'runtime/services/gate.ts',
      'held ? gate.through(write)',
      'held || write !== "" ? gate.through(write)',
    ),
  },
  {
    name: 'lease never runs out',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a process that led once believes that it leads until it hears otherwise',
    plant: patched(lease, 'now < renewedAt + leaseMs)', 'now > renewedAt - leaseMs && renewedAt !== never)'),
  },
  {
    name: 'lease counted from the answer',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'the time of a lease is counted from when its renewal was answered',
    unseen: 'the lease is answered at once here: specs/runtime/lead lets it wait',
    plant: patched(lease, '    renewedAt = sentAt;', '    renewedAt = (yield* monotonicMs) + (sentAt > 0 ? 0 : 1);'),
  },
  {
    name: 'lease taken over any version',
    family: 'missing precondition',
    text: 'a lease is taken whoever has taken it meanwhile',
    unseen: 'one stand-by alone races with nobody: specs/runtime/lead has more of them',
    plant: patched(
      lease,
      'cluster.patch(leases, { name: leaseName }, patch, asSeen(stored))',
      'cluster.patch(leases, { name: leaseName }, patch, asSeen({ ...stored, metadata: { name: "" } }))',
    ),
    by: ['leader dies, stand-by takes over'],
  },
  {
    name: 'lease taken from the living',
    family: 'un-fenced leader',
    on: /^checks are awaited|^the connection comes late/,
    text: 'a lease is taken from a holder who renews it',
    plant: patched(leaseView, 'if (held) return held;', 'if (held === undefined) return held;'),
  },
  {
    name: 'stand-by never takes over',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a holder who is dead keeps the lease for ever',
    plant: patched(leaseView, 'forMs <= 0\n', 'forMs <= -1e12\n'),
  },
  {
    name: 'lost lease unnoticed',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a process that finds the lease in other hands goes on with its term',
    unseen: 'the gate lets nothing through once the lease may have run out',
    plant: patched(lease, "if (leaseView.is !== 'mine') return false;", "if (leaseView.is !== 'mine') return true;"),
  },
  {
    name: 'lease kept through by failing renewals',
    family: 'un-fenced leader',
    on: /^a pinned commit/,
    text: 'a lease that could not be renewed in time is not given up',
    unseen: 'the gate lets nothing through once the lease may have run out',
    plant: patched(lease, 'if ((yield* leftMs) <= 0) return `it could not be renewed: ${trouble}`;', 'void trouble;'),
  },
];
