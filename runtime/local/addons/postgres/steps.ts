import { isDeepStrictEqual } from 'node:util';
import { quantityOf } from '../../../../rules/owned/quantity.ts';
import { conditions, isSaid } from './conditions.ts';
import { failover } from './failover.ts';
import {
  hasTerminatingPod,
  instancesStatusOf,
  isReady,
  isSettled,
  livePod,
  type Observed,
  primaryOf,
} from './observed.ts';
import { inPhase, isInPhase, phases } from './phases.ts';
import { majorOf, serialOf } from './server.ts';
import type { Step } from './step.ts';
import { differenceOf } from './template.ts';

type Rule = (seen: Observed) => Step | null;

/** Waits for a change. */
const wait: Step = { is: 'wait' };

const image: Rule = ({ server, status }) => {
  const wanted = server.spec?.imageName ?? '';
  const { pgDataImageInfo: data } = status;
  const majorVersion = majorOf(wanted);
  const isOfData = data === undefined || data.majorVersion === majorVersion;
  if (status.image === wanted && data !== undefined && (!isOfData || data.image === wanted)) return null;
  return {
    is: 'report',
    status: { image: wanted, ...(isOfData && { pgDataImageInfo: { image: wanted, majorVersion } }) },
  };
};

const bootstrapPending: Rule = ({ status, instances }) =>
  instances.length > 0 || status.conditions?.some(({ type }) => type === 'Initialized')
    ? null
    : { is: 'report', status: {}, conditions: [conditions.bootstrapPending] };

const target: Rule = ({ server, status, instances }) =>
  status.targetPrimary === undefined
    ? {
        is: 'report',
        status: { targetPrimary: status.currentPrimary ?? instances[0] ?? `${server.metadata.name}-1` },
      }
    : null;

const firstInstance: Rule = (seen) => {
  if (seen.instances.length > 0) return null;
  const first = `${seen.server.metadata.name}-1`;
  return inPhase(seen, phases.primary, `Creating primary instance ${first}`) ?? { is: 'claim', instance: first };
};

const report: Rule = (seen) => {
  const { status, instances } = seen;
  const ready = instances.filter((instance) => isReady(seen, instance)).length;
  const now = {
    instances: instances.length,
    instanceNames: instances,
    readyInstances: ready === 0 ? undefined : ready,
    instancesStatus: instancesStatusOf(seen),
  };
  const isNew = !isSaid(status.conditions, conditions.bootstrapped);
  const before = {
    instances: status.instances,
    instanceNames: status.instanceNames,
    readyInstances: status.readyInstances,
    instancesStatus: status.instancesStatus,
  };
  return isDeepStrictEqual(now, before) && !isNew
    ? null
    : { is: 'report', status: now, conditions: isNew ? [conditions.bootstrapped] : [] };
};

/** A volume that cannot grow ends the operator's pass, with all rules below. */
const growth: Rule = ({ server, claims }) => {
  const size = server.spec?.storage?.size ?? '';
  const small = claims.filter(
    ({ spec }) => (quantityOf(spec?.resources?.requests?.storage) ?? 0n) < (quantityOf(size) ?? 0n),
  );
  return small.length === 0 ? null : { is: 'grow', claims: small, size };
};

/** Servers that really run keep the version of their data. */
const upgrade: Rule = (seen) => {
  const { server, status, pods, hangs, isReal } = seen;
  const to = server.spec?.imageName ?? '';
  const majorVersion = majorOf(to);
  if (isReal || majorVersion <= (status.pgDataImageInfo?.majorVersion ?? 0)) return null;
  const upgrading = inPhase(seen, phases.upgrade, `Upgrading cluster to major version ${majorVersion}`);
  if (upgrading) return upgrading;
  if (pods.size > 0) return hasTerminatingPod(seen) ? wait : { is: 'delete', pods: [...pods.values()], claims: [] };
  return hangs ? wait : { is: 'report', status: { pgDataImageInfo: { image: to, majorVersion } } };
};

/** Replicas copy the primary, so none starts before it. */
const instancePod: Rule = (seen) => {
  const { instances, pods, hangs } = seen;
  const primary = primaryOf(seen) ?? '';
  const startable = isReady(seen, primary) ? instances : instances.filter((one) => one === primary);
  const missing = startable.find((instance) => !pods.has(instance));
  if (missing === undefined) return null;
  return hangs ? wait : { is: 'pod', instance: missing };
};

const waiting: Rule = (seen) => {
  const isWaiting = hasTerminatingPod(seen) || seen.instances.some((one) => livePod(seen, one) && !isReady(seen, one));
  if (!isWaiting || isInPhase(seen, phases.restart)) return null;
  return inPhase(seen, phases.waiting, 'Some instances are not yet active. Please wait.');
};

/** The first instance reports itself as primary once it runs. */
const promotion: Rule = (seen) => {
  const { currentPrimary, targetPrimary = '' } = seen.status;
  return currentPrimary === undefined && livePod(seen, targetPrimary)?.status?.phase === 'Running'
    ? { is: 'report', status: { currentPrimary: targetPrimary } }
    : null;
};

/** A server without an archive counts as archived. */
const archiving: Rule = ({ server, status }) =>
  server.spec?.backup?.barmanObjectStore ||
  status.currentPrimary === undefined ||
  isSaid(status.conditions, conditions.archiving)
    ? null
    : { is: 'report', status: {}, conditions: [conditions.archiving] };

const unsettled: Rule = (seen) => (isSettled(seen) ? null : wait);

/** A pod without a claim is left of a deleted instance. */
const strays: Rule = (seen) => {
  const { instances, pods } = seen;
  const left = [...pods.keys()].filter((one) => !instances.includes(one) && one !== primaryOf(seen));
  const live = left.flatMap((instance) => livePod(seen, instance) ?? []);
  return live.length === 0 ? null : { is: 'delete', pods: live, claims: [] };
};

const scaleDown: Rule = (seen) => {
  const { instances, wantedInstances, pods, claims } = seen;
  if (instances.length <= wantedInstances) return null;
  const left = instances.findLast((instance) => instance !== primaryOf(seen));
  const pod = pods.get(left ?? '');
  const claim = claims.find(({ metadata }) => metadata.name === left);
  return { is: 'delete', pods: pod ? [pod] : [], claims: claim ? [claim] : [] };
};

const scaleUp: Rule = (seen) => {
  const { server, instances, wantedInstances } = seen;
  if (instances.length >= wantedInstances) return null;
  const taken = new Set(instances.map(serialOf));
  const serial = [...taken, 0]
    .map((one) => one + 1)
    .toSorted((a, b) => a - b)
    .find((one) => !taken.has(one));
  const instance = `${server.metadata.name}-${serial}`;
  return inPhase(seen, phases.replica, `Creating replica ${instance}-join`) ?? { is: 'claim', instance };
};

/** The primary comes last. */
const restart: Rule = (seen) => {
  const primary = primaryOf(seen);
  const ordered = [
    ...seen.instances.filter((one) => one !== primary),
    ...seen.instances.filter((one) => one === primary),
  ];
  for (const instance of ordered) {
    const pod = livePod(seen, instance);
    const why = pod ? differenceOf(pod, seen.template) : null;
    if (!pod || why === null) continue;
    const restarting =
      instance === primary
        ? inPhase(seen, phases.restart, why)
        : inPhase(seen, phases.rollout, `Restarting instance ${instance}, because: ${why}`);
    return restarting ?? { is: 'delete', pods: [pod], claims: [] };
  }
  return null;
};

/** The first applicable rule runs; its effect is seen in the next pass. */
const rules: readonly Rule[] = [
  image,
  bootstrapPending,
  target,
  firstInstance,
  report,
  growth,
  upgrade,
  failover,
  instancePod,
  waiting,
  promotion,
  archiving,
  strays,
  unsettled,
  scaleDown,
  scaleUp,
  restart,
  (seen) => inPhase(seen, phases.healthy, null),
];

/** The next step of the Postgres operator for a server. */
export function nextStep(seen: Observed): Step {
  for (const rule of rules) {
    const step = rule(seen);
    if (step) return step;
  }
  return wait;
}
