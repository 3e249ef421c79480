import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation } from '../../../../crds/names.ts';
import { jobs, pods } from '../../../../runtime/services/cluster/resources.ts';
import type { Actor } from '../../../faults/subjects/subject.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

/** How the n-th Job ends, some seconds after it was created. */
export type JobEnd =
  | {
      readonly is: 'pushes';
      readonly by: 'message' | 'log';
      /** No node takes its pod for this long. */
      readonly unschedulableMs?: number;
      /** This many pods are evicted before one succeeds. */
      readonly evicted?: number;
    }
  /** It names its digest only in its log, and the log is gone before anybody reads it. */
  | { readonly is: 'pushesUnheard' }
  /** It succeeds, and its pods are removed at once. */
  | { readonly is: 'losesItsPods' }
  | { readonly is: 'pushesNothing' }
  | { readonly is: 'fails' }
  | { readonly is: 'never' };

const jobTakesMs = 7_000;

export const runOf = (object: Pick<KubeObject, 'metadata'>): string =>
  object.metadata.annotations?.[annotation.run] ?? '';
export const jobsCreated = (environment: TestEnvironment) =>
  environment.cluster.created.filter(({ plural }) => plural === jobs.plural);

/** The digest that the n-th Job pushes: no two are the same, so that a digest identifies its Job. */
export const digestOfJob = (index: number): string => `sha256:${(index + 1).toString(16).padStart(64, '0')}`;

/** The simulated nodes: each Job of a build ends some seconds after it was created, as its path says. */
export function nodesOf(environment: TestEnvironment, endOf: (index: number) => JobEnd): Actor {
  const due = new Map<string, number>();

  const endNow = (build: string, job: KubeObject, index: number, end: JobEnd) => {
    const digest = digestOfJob(index);
    const pushed = end.is === 'pushes' ? end.by : null;
    const pod = `${job.metadata.name}-${job.metadata.uid}`;
    const registry = environment.build(build)?.spec.registry ?? '';
    environment.cluster.logs.set(pod, pushed === 'log' ? `built\nPushed ${registry}@${digest}\n` : 'built\n');
    if (end.is === 'pushesUnheard') environment.cluster.logs.delete(pod);
    environment.endJob(build, end.is === 'fails' ? 'Failed' : 'Complete', pushed === 'message' ? digest : '');
    if (end.is === 'losesItsPods') environment.cluster.drop(pods, pod);
  };

  /** What its pods go through before the Job ends. */
  const begin = (job: KubeObject, end: JobEnd) => {
    if (end.is !== 'pushes') return;
    const { evicted = 0, unschedulableMs = 0 } = end;
    for (let gone = 1; gone <= evicted; gone++)
      environment.putPod(job, `evicted-${gone}`, { phase: 'Failed', reason: 'Evicted' });
    if (unschedulableMs > 0)
      environment.putPod(job, job.metadata.uid ?? '', { phase: 'Pending', reason: 'Unschedulable' });
  };

  return {
    act: (now) => {
      const running = environment.cluster.all(jobs).filter((job) => runOf(job) !== '' && !job.status?.conditions);
      for (const uid of due.keys()) if (!running.some(({ metadata }) => metadata.uid === uid)) due.delete(uid);
      for (const job of running) {
        const { uid = '', name } = job.metadata;
        const index = jobsCreated(environment).findIndex(({ object }) => object.metadata.uid === uid);
        const end = endOf(index);
        if (end.is === 'never') continue;
        if (!due.has(uid)) begin(job, end);
        const at = due.get(uid) ?? now + jobTakesMs + (end.is === 'pushes' ? (end.unschedulableMs ?? 0) : 0);
        due.set(uid, at);
        if (now < at) continue;
        endNow(name.replace(/-builder$/, ''), job, index, end);
        due.delete(uid);
        return `${name} ends: it ${end.is}`;
      }
      return null;
    },
    nextAt: () => Math.min(...due.values()),
  };
}
