import { registryMissing } from '../build/registry.ts';
import { snapshotMissing } from '../draftDeploy/gate.ts';
import { codeTooLong } from '../function/code.ts';
import { placeText } from '../placement.ts';
import { environmentMissing, projectMissing, projectNotReady } from '../project/missing.ts';
import {
  applied,
  awaited,
  counted,
  failedInPass,
  type Blocker as BlockerOf,
  blockerAmong,
  type BlockerWords,
  isBlockedBy,
  permanent,
} from '../provision/blockers.ts';
import { causesOfBuild } from '../cause/build.ts';
import { causeOfMissing } from '../cause/missingSource.ts';
import { byCopies, found, itself, waitsFor } from '../cause/rule.ts';
import { fullMessage, reservedMessage } from '../capacityMessages.ts';
import { closed, hidden, open, sentence, toObservers, toViewers } from '../words.ts';
import type { Used, ServiceSeen } from './facts.ts';

type Blocker = BlockerOf<ServiceSeen>;

/** Two rows: counted during an attempt, and a wait for a service that has run. */
const countedInAttempt = ({ when, ...words }: BlockerWords<ServiceSeen>): readonly Blocker[] => [
  counted({ ...words, when: (seen) => seen.attempting && when(seen) }),
  awaited({ ...words, when }),
];
const isGit = ({ source }: ServiceSeen) => source === 'git';
const thatIs = (used: readonly Used[], state: Used['is']) => used.find(({ is }) => is === state);
const nameOfThat = (used: readonly Used[], state: Used['is']) => ({
  name: toObservers(thatIs(used, state)?.name ?? ''),
});

const refOf = (used: Used | undefined) => ({ kind: used?.kind ?? '', name: used?.name ?? '' });
const projectOf = ({ project }: ServiceSeen) => ({ kind: 'CoreProject', name: project.name });
const connectionOf = ({ connection }: ServiceSeen) => ({ kind: 'CoreGitHostConnection', name: connection.name });

/** What the current build waits for or failed of. */
const byBuild = found<ServiceSeen>(
  [
    'FirstPushAwaited',
    'BuildFailed',
    'BuildRunning',
    'ChecksPending',
    'ChecksFailed',
    'GitHostRefused',
    'GitHostSilent',
    'BuildCancelled',
  ],
  ({ currentBuild }, { self, causeOf }) => causesOfBuild(currentBuild, { self, causeOf }),
);

const place: readonly Blocker[] = [
  counted({
    when: ({ gate }) => gate === 'SnapshotMissing',
    message: () => snapshotMissing,
    cause: itself('SettingRefused'),
  }),
  counted({
    when: ({ project }) => project.is === 'absent',
    message: ({ project }) => projectMissing(project.name),
    cause: itself('ProjectMissing', projectOf),
  }),
  awaited({
    when: ({ project }) => project.is === 'notReady',
    message: ({ project }) => projectNotReady(project.name),
    cause: waitsFor('ProjectNotReady', projectOf),
  }),
  // It is told, and what was deployed is applied all the same (decision 163).
  applied(
    awaited({
      when: ({ project }) => project.is === 'notReadyElsewhere',
      message: ({ project }) => projectNotReady(project.name),
      cause: waitsFor('ProjectNotReady', projectOf),
    }),
  ),
  counted({
    when: ({ project }) => project.is === 'withoutEnvironment',
    message: ({ project, environment }) => environmentMissing(project.name, environment),
    cause: itself('EnvironmentMissing', projectOf),
  }),
  awaited({
    when: ({ cluster }) => !cluster.ready,
    message: ({ project, cluster }) =>
      sentence('project "{project}" cluster "{cluster}" is not ready', {
        project: toViewers(project.name),
        cluster: hidden(cluster.name),
      }),
    cause: waitsFor('ClusterNotReady', ({ cluster }) => ({ kind: 'CoreCluster', name: cluster.name })),
  }),
];

const image: readonly Blocker[] = [
  awaited({
    when: (seen) => isGit(seen) && seen.connection.is === 'absent',
    message: ({ connection }) =>
      sentence('Git host connection "{connection}" was not found', { connection: hidden(connection.name) }),
    cause: itself('GitConnectionNotReady', connectionOf),
  }),
  awaited({
    when: (seen) => isGit(seen) && seen.connection.is === 'found' && !seen.secret.found,
    message: ({ connection, secret }) =>
      sentence('Secret "{secret}" of Git host connection "{connection}" was not found', {
        secret: hidden(secret.name),
        connection: hidden(connection.name),
      }),
    cause: itself('SecretMissing', ({ secret }) => ({ kind: 'Secret', name: secret.name })),
  }),
  counted({
    when: (seen) => isGit(seen) && seen.registry === '',
    message: () => registryMissing,
    cause: itself('RegistryMissing'),
  }),
  awaited({
    when: (seen) => isGit(seen) && seen.image === '',
    message: () => open('Git source is waiting for a successful build'),
    cause: byBuild,
  }),
  permanent({
    when: ({ isCodeTooLong }) => isCodeTooLong,
    message: () => closed(codeTooLong),
    cause: itself('SettingRefused'),
  }),
];

const variables: readonly Blocker[] = [
  counted({
    when: ({ databases }) => thatIs(databases, 'absent') !== undefined,
    message: ({ databases }) => sentence('database "{name}" does not exist', nameOfThat(databases, 'absent')),
    cause: itself('DatabaseMissing', ({ databases }) => refOf(thatIs(databases, 'absent'))),
  }),
  awaited({
    when: ({ databases }) => thatIs(databases, 'notReady') !== undefined,
    message: ({ databases }) => sentence('database "{name}" is not ready', nameOfThat(databases, 'notReady')),
    cause: waitsFor('DatabaseNotReady', ({ databases }) => refOf(thatIs(databases, 'notReady'))),
  }),
  counted({
    when: ({ buckets }) => thatIs(buckets, 'absent') !== undefined,
    message: ({ buckets }) => sentence('bucket "{name}" does not exist', nameOfThat(buckets, 'absent')),
    cause: itself('BucketMissing', ({ buckets }) => refOf(thatIs(buckets, 'absent'))),
  }),
  awaited({
    when: ({ buckets }) => thatIs(buckets, 'notReady') !== undefined,
    message: ({ buckets }) => sentence('bucket "{name}" is not ready', nameOfThat(buckets, 'notReady')),
    cause: waitsFor('BucketNotReady', ({ buckets }) => refOf(thatIs(buckets, 'notReady'))),
  }),
  ...countedInAttempt({
    when: ({ missing }) => missing !== null,
    message: ({ missing }) => sentence('{missing} was not found', { missing: hidden(missing?.what ?? '') }),
    cause: found(['SecretMissing', 'KeyMissing'], ({ missing }) => (missing === null ? [] : [causeOfMissing(missing)])),
  }),
];

const scheduling: readonly Blocker[] = [
  counted({
    when: ({ room: { nodes } }) => nodes === 'none',
    message: (seen) =>
      sentence('There is no ready node in {place} to run this service', { place: hidden(placeText(seen)) }),
    cause: itself('NoNode'),
  }),
  counted({
    when: ({ room: { nodes } }) => nodes === 'reserved',
    message: (seen) => reservedMessage(placeText(seen)),
    cause: itself('NodesReserved'),
  }),
  counted({
    when: ({ room: { crowded: insufficientCapacity } }) => insufficientCapacity !== null,
    message: ({ room: { crowded: insufficientCapacity } }) =>
      sentence('This service needs about {cpu} CPU and {memory} memory. The cluster currently has {free} available', {
        cpu: hidden(insufficientCapacity?.cpu ?? ''),
        memory: hidden(insufficientCapacity?.memory ?? ''),
        free: hidden(insufficientCapacity?.free ?? ''),
      }),
    cause: itself('NoRoom'),
  }),
  counted({
    when: ({ room: { nodes } }) => nodes === 'full',
    message: (seen) => fullMessage(placeText(seen)),
    cause: itself('NoRoom'),
  }),
];

const comingUp: readonly Blocker[] = [
  ...countedInAttempt({
    when: ({ pods }) => pods === 'failed',
    message: () => open('Service failed to start'),
    cause: byCopies,
  }),
  awaited<ServiceSeen>({
    when: ({ workload, pods }) => workload === 'current' && pods === 'none',
    message: () => open('Starting service'),
    cause: byCopies,
  }),
  awaited<ServiceSeen>({
    when: ({ pods }) => pods === 'starting',
    message: () => open('Service is starting'),
    cause: byCopies,
  }),
  // It runs, but its host leads elsewhere.
  awaited<ServiceSeen>({
    when: ({ host }) => host.leads === 'toTheDashboard',
    message: ({ host }) => sentence("The host {host} is the dashboard's", { host: hidden(host.name) }),
    cause: itself('HostTaken'),
  }),
  awaited<ServiceSeen>({
    when: ({ host }) => host.leads === 'toAnother',
    message: ({ host }) => sentence('The host {host} belongs to another service', { host: hidden(host.name) }),
    cause: itself('HostTaken', ({ host }) => ({ kind: 'CoreApp', name: host.owner ?? '' })),
  }),
].map(applied);

/** Everything that keeps a service from being ready, in the order checked. */
export const blockers: readonly Blocker[] = [
  ...failedInPass<ServiceSeen>(),
  ...place,
  ...image,
  ...variables,
  ...scheduling,
  ...comingUp,
];

/** The first blocker that holds; undefined when the service can be ready. */
export const blockerIn = (seen: ServiceSeen): Blocker | undefined => blockerAmong(blockers, seen);

/** Whether a blocker forbids to apply anything. */
export const isBlocked = (seen: ServiceSeen): boolean => isBlockedBy(blockers, seen);
