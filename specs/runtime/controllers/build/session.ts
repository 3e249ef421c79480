import type { BuildAsked } from '../../../../rules/build/facts.ts';
import { commands } from './commands.ts';
import { Context, Effect } from 'effect';
import type { BuildSpec, BuildStatus, CoreBuild } from '../../../../crds/coreBuild.ts';
import { jobName } from '../../../../rules/build/build.ts';
import type { Job } from '../../../../crds/builtIn.ts';
import { historyOf } from '../../../../runtime/step/history.ts';
import { builds } from '../../../../runtime/services/cluster/kinds.ts';
import { jobs, pods } from '../../../../runtime/services/cluster/resources.ts';
import { GitHost } from '../../../../runtime/services/gitHost.ts';
import { virtualTime } from '../../../support/virtualTime.ts';
import { userBuild, makeTestEnvironment, type TestEnvironment } from '../../../support/environment.ts';

export const name = 'shop-build-1';

/** A branch of a repository that is read through a connection, without checks to wait for. */
export const branch: Partial<BuildSpec> = { revision: '', branch: 'main', connectionRef: { name: 'host' } };
/** The same, with checks to wait for. */
export const checked: Partial<BuildSpec> = { ...branch, waitForCI: true };

interface BuilderJob extends Job {
  readonly spec: { readonly template: { readonly spec: { readonly initContainers: readonly Container[] } } };
}
interface Container {
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

/** One build in a prepared environment with a running operator. Time advances only on request. */
export async function startSession(
  spec: Partial<BuildSpec> = {},
  prepare: (environment: TestEnvironment) => void = () => {},
  status?: BuildStatus,
) {
  const time = virtualTime();
  const environment = makeTestEnvironment({ now: time.wall });
  const began = time.now();
  const secondsIn = () => (time.now() - began) / 1_000;
  const asked: { readonly at: number; readonly question: string; readonly token: string }[] = [];
  const seenJobs: string[] = [];
  const versions: CoreBuild[] = [];

  const inner = Context.get(environment.services, GitHost);
  const noted = (question: string, token: string) => void asked.push({ at: secondsIn(), question, token });
  const host: typeof inner = {
    ...inner,
    commit: (token, ...rest) => (noted(`commit ${rest[1]}`, token), inner.commit(token, ...rest)),
    checkRuns: (token, ...rest) => (noted(`checks ${rest[1]}`, token), inner.checkRuns(token, ...rest)),
  };
  environment.cluster.onChange((changed, type) => {
    if (changed.kind === 'Job' && type !== 'modified') seenJobs.push(`${type} ${changed.metadata.uid}`);
    if (changed.kind === 'CoreBuild' && type !== 'deleted') versions.push(changed as CoreBuild);
  });

  prepare(environment);
  const services = time.over(Context.add(environment.services, GitHost, host));
  const { operator, crash } = await time.wait(environment.start(undefined, services));
  await time.settle();
  environment.cluster.put(builds, userBuild(name, spec, status));
  await time.settle();
  const controller = operator.controllers.find(({ resource }) => resource.kind === 'CoreBuild');
  const lifecycle = controller?.lifecycles[0];
  if (!controller || !lifecycle) throw new Error('no controller of builds');

  const build = (): CoreBuild => {
    const found = environment.build(name);
    if (!found) throw new Error('the build is gone');
    return found;
  };
  const job = () =>
    environment.cluster.all(jobs).find(({ metadata }) => metadata.name === jobName(name)) as BuilderJob | undefined;
  return {
    environment,
    time,
    /** Requests to the Git host, in order, each with its second. */
    asked,
    /** Jobs that were added and deleted, in order: `added <uid>`, `deleted <uid>`. */
    seenJobs,
    /** Every version of the build. */
    versions,
    build,
    job,
    status: (): BuildStatus => build().status ?? {},
    /** Its moves so far. */
    moves: () => historyOf(build()).map(({ from, event, to }) => `${from} ${event} ${to}`),
    /** The value of a variable of the container git of its Job. */
    variable: (variable: string) =>
      job()?.spec.template.spec.initContainers[0]?.env.find((one) => one.name === variable)?.value,
    /** In how many seconds it is requeued; null for never. */
    looksIn: () => {
      const at = operator.requeueAt(controller, name);
      return at === undefined ? null : (at - time.now()) / 1_000;
    },
    /** Advances time, with everything that happens in it. */
    pass: async (seconds: number) => {
      const until = time.now() + seconds * 1_000;
      for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
      await time.moveTo(until);
    },
    /** Makes an external change and lets its immediate effects happen. */
    edit: async (act: (environment: TestEnvironment) => void) => {
      act(environment);
      await time.settle();
    },
    /** Writes the status as a person does. */
    patch: async (status: object) => {
      await Effect.runPromise(environment.cluster.patchStatus(builds, { name }, status));
      await time.settle();
    },
    /** Sends one command to the operator, as the API does. */
    ask: async (command: BuildAsked['is']) => {
      const asked = commands[command];
      await time.wait(Effect.runPromise(operator.move(controller, lifecycle, name, { asked, by: 'ci' })));
      await time.settle();
    },
    /** Ends the Job: it pushed this digest, or failed. */
    ends: async (outcome: 'Complete' | 'Failed', digest?: string) => {
      environment.endJob(name, outcome, digest);
      await time.settle();
    },
    /** Removes the Job and its pods, as after their hour. */
    loseJob: async () => {
      for (const pod of environment.cluster.all(pods)) environment.cluster.drop(pods, pod.metadata.name);
      environment.cluster.drop(jobs, jobName(name));
      await time.settle();
    },
    end: () => time.wait(crash()),
  };
}

export type Session = Awaited<ReturnType<typeof startSession>>;
