import { systemNamespace } from '../../../crds/names.ts';
import { appController } from '../../../runtime/controllers/app/controller.ts';
import { apps, projects } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { putCopies, runs } from './copies.ts';
import { putOpen, virtualRun } from './virtual.ts';

export interface WaitingFigures {
  /** Services that wait for one Secret, and those that are Ready once it is there. */
  readonly waiting: number;
  readonly ready: number;
  /** How often each of them passes when the Secret comes, the fewest and the most. */
  readonly wakes: readonly number[];
  /** Passes of services while a count in a cause of their project changes, ten times. */
  readonly ofCount: number;
}

const secret = 'wanted';
const putSecret = ({ cluster }: TestEnvironment): void =>
  void cluster.put(secrets, { metadata: { name: secret, namespace: systemNamespace }, data: { TOKEN: 'YQ==' } });

const reasonsOf = ({ cluster }: TestEnvironment, reason: string): number =>
  cluster.all(apps).filter(({ status }) => status?.causes?.some((cause) => cause.reason === reason)).length;

/** A cause of the project that counts. */
const putCount = ({ cluster }: TestEnvironment, count: number): void => {
  const [project] = cluster.all(projects);
  if (!project) throw new Error('no project');
  const on = { kind: 'Secret', name: 'shared', namespace: systemNamespace };
  const since = '2027-01-01T00:00:00Z';
  const cause = { of: 'Ready', reason: 'SecretMissing', severity: 'failure', message: 'it is missing', on } as const;
  const status = { ...project.status, causes: [{ ...cause, since, count, lastAt: since }] };
  cluster.put(projects, { ...project, status });
};

/** Services that were Ready and whose Secret goes and comes back; then a project that counts. */
export async function waitingFigures(count: number): Promise<WaitingFigures> {
  const { environment, pass, passes, end } = await virtualRun(
    [appController({ gitUrl: 'https://git.example' })],
    (made) => {
      putSecret(made);
      for (let at = 0; at < count; at++) putOpen(made, `web-${at}`, { secretRefs: [{ name: secret }] });
    },
  );
  await pass(60_000);
  putCopies(environment, () => runs);
  await pass(60_000);
  environment.cluster.drop(secrets, secret, systemNamespace);
  await pass(60_000);
  const waiting = reasonsOf(environment, 'SecretMissing');
  const before = new Map(passes);
  putSecret(environment);
  await pass(1_000);
  const each = [...passes].map(([name, total]) => total - (before.get(name) ?? 0));
  const ready = environment.cluster.all(apps).filter(({ status }) => status?.phase === 'Ready').length;
  putCount(environment, 1);
  await pass(60_000);
  const sum = () => [...passes.values()].reduce((total, one) => total + one, 0);
  const atRest = sum();
  for (let counted = 2; counted <= 11; counted++) {
    putCount(environment, counted);
    await pass(10_000);
  }
  const ofCount = sum() - atRest;
  await end();
  return { waiting, ready, wakes: [Math.min(...each), Math.max(...each)], ofCount };
}
