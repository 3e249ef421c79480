import type { CoreDeployment } from '../../../../crds/coreDeployment.ts';
import { annotation, label } from '../../../../crds/names.ts';
import { canonicalJson } from '../../../../rules/canonical.ts';
import { activeIn, appIn, recordsIn, serviceName, workloadIn } from '../../../support/deployed.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';

const momentOf = ({ metadata, status }: CoreDeployment): string =>
  metadata.annotations?.[annotation.deployedAt] ?? status?.startedAt ?? '';

/** A deploy has one record, and each record is of one deploy. */
function doubledIn(environment: TestEnvironment): readonly string[] {
  const moments = recordsIn(environment).map(momentOf);
  const twice = moments.filter((moment, at) => moment !== '' && moments.indexOf(moment) !== at);
  return twice.map((moment) => `the deploy of ${moment} is recorded twice`);
}

/** A record tells the moment of its deploy, unless somebody gave it another phase. */
const untoldIn = (environment: TestEnvironment): readonly string[] =>
  recordsIn(environment)
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
function activeFaults(environment: TestEnvironment): readonly string[] {
  const workload = workloadIn(environment);
  const active = activeIn(environment);
  if (!workload || appIn(environment)?.status?.phase === 'Draft') return [];
  if (!active) return ['what runs is not recorded'];
  const { phase, healthCheck, availableReplicas } = active.status ?? {};
  const told = canonicalJson({ phase, healthCheck, availableReplicas, replicas: active.spec.replicas });
  const right = canonicalJson(toldOf(workload));
  return told === right ? [] : [`what runs is told as ${told}, and it is ${right}`];
}

/** What must hold of deployment records under every fault. */
export function deploymentOracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  return {
    look: () => (hasUserEdits ? [] : doubledIn(environment)),
    atRest: () => {
      // A record without the label is nobody's.
      const names = recordsIn(environment)
        .filter(({ metadata }) => metadata.labels?.[label.app] === serviceName)
        .map(({ metadata }) => metadata.name);
      if (!appIn(environment)) return names.map((name) => `the record ${name} outlives its service`);
      if (appIn(environment)?.metadata.annotations?.[annotation.paused] === 'true') return [];
      return [
        ...(hasUserEdits ? [] : doubledIn(environment)),
        ...(names.length > 12 ? [`${names.length} records are kept`] : []),
        ...untoldIn(environment),
        ...activeFaults(environment),
      ];
    },
  };
}
