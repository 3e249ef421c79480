import type { CoreDeployment } from '../../../../crds/coreDeployment.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { canonicalJson } from '../../../../rules/canonical.ts';
import { activeIn, appIn, recordsIn, serviceName, workloadIn } from '../../../support/deployed.ts';
import type { World } from '../../../support/world.ts';
import type { Oracle } from '../subject.ts';

const momentOf = ({ metadata, status }: CoreDeployment): string =>
  metadata.annotations?.[annotation.deployedAt] ?? status?.startedAt ?? '';

/** A deploy has one record, and each record is of one deploy. */
function doubledIn(world: World): readonly string[] {
  const moments = recordsIn(world).map(momentOf);
  const twice = moments.filter((moment, at) => moment !== '' && moments.indexOf(moment) !== at);
  return twice.map((moment) => `the deploy of ${moment} is recorded twice`);
}

/** A record tells the moment of its deploy, unless somebody gave it another phase. */
const untoldIn = (world: World): readonly string[] =>
  recordsIn(world)
    .filter((record) => record.metadata.annotations?.[annotation.deployedAt] !== undefined)
    .filter((record) => {
      const { phase, startedAt, completedAt } = record.status ?? {};
      return (
        phase !== 'skipped' && (phase === undefined || startedAt !== momentOf(record) || completedAt !== startedAt)
      );
    })
    .map(({ metadata }) => `the record ${metadata.name} does not tell its moment`);

/** What is said of a Deployment, where it is to be recorded. */
function toldOf(workload: NonNullable<ReturnType<typeof workloadIn>>) {
  const { availableReplicas = 0 } = (workload.status ?? {}) as { readonly availableReplicas?: number };
  const replicas = workload.spec?.replicas ?? 1;
  const phase = availableReplicas >= replicas ? 'Available' : 'RollingOut';
  return { phase, healthCheck: phase, availableReplicas, replicas };
}

/** What is said to run is what runs. */
function activeFaults(world: World): readonly string[] {
  const workload = workloadIn(world);
  const active = activeIn(world);
  if (!workload || appIn(world)?.status?.phase === 'Draft') return [];
  if (!active) return ['what runs is not recorded'];
  const { phase, healthCheck, availableReplicas } = active.status ?? {};
  const told = canonicalJson({ phase, healthCheck, availableReplicas, replicas: active.spec.replicas });
  const right = canonicalJson(toldOf(workload));
  return told === right ? [] : [`what runs is told as ${told}, and it is ${right}`];
}

/** What must hold of deployment records under every fault. */
export function deploymentOracle(world: World, hasUserEdits: boolean): Oracle {
  return {
    look: () => (hasUserEdits ? [] : doubledIn(world)),
    atRest: () => {
      // A record without the label is nobody's.
      const names = recordsIn(world)
        .filter(({ metadata }) => metadata.labels?.[label.app] === serviceName)
        .map(({ metadata }) => metadata.name);
      if (!appIn(world)) return names.map((name) => `the record ${name} outlives its service`);
      if (appIn(world)?.metadata.annotations?.[annotation.paused] === 'true') return [];
      return [
        ...(hasUserEdits ? [] : doubledIn(world)),
        ...(names.length > 12 ? [`${names.length} records are kept`] : []),
        ...untoldIn(world),
        ...activeFaults(world),
      ];
    },
  };
}
