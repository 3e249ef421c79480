import { Effect } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { jobName } from '../../../rules/build/build.ts';
import type { BuildFacts, JobSeen, LogSeen } from '../../../rules/build/facts.ts';
import { repositoryName } from '../../../rules/build/repository.ts';
import { type Fact, type FactName, known, unknown } from '../../../rules/fact.ts';
import type { GitAnswer } from '../../../rules/gitAnswer.ts';
import { connections } from '../../services/cluster/kinds.ts';
import type { Outside } from '../../services/outside.ts';
import { jobs, secrets } from '../../services/cluster/resources.ts';
import { secretText } from '../../services/secretText.ts';
import type { CacheReader } from '../../cache/reader.ts';
import { Cluster, type ReadError } from '../../services/cluster/cluster.ts';
import { GitHost } from '../../services/gitHost.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import { archivedOf, isOfThisRun } from './ask/archive.ts';
import { readJob } from './observe.ts';
import { digestOfRun, podsOfRun } from './ask/run.ts';

type FactAnswer = Effect.Effect<Fact<unknown>, never, Outside>;

/** The input of asking besides the build. */
export interface Asking {
  readonly reader: CacheReader;
  readonly gitUrl: string;
}

/** Reads one fact that costs a call. Any answer of a service is known; only a failed read is unknown. */
export function ask(fact: FactName<BuildFacts>, build: CoreBuild, asking: Asking): FactAnswer {
  switch (fact) {
    case 'job':
      return askJob(build);
    case 'commit':
      return Effect.map(askCommit(build, build.spec.revision || headOf(build), asking), known);
    case 'checks':
      return Effect.map(askChecks(build, asking), known);
    case 'digest':
      return digestOfRun(build, asking.reader).pipe(Effect.match({ onSuccess: known, onFailure: couldNotRead }));
    case 'log':
      return askLog(build, asking);
    case 'connection':
      return Effect.succeed(unknown('the connection is observed, not asked for'));
  }
}

const couldNotRead = (failure: ReadError) => unknown(errorMessage(failure));

/** Reads the Job directly; without it, reads its remaining pods (decision 46). */
export const askJob = (build: CoreBuild): Effect.Effect<Fact<JobSeen>, never, Outside> =>
  Effect.gen(function* () {
    const cluster = yield* Cluster;
    return yield* cluster.get(jobs, { name: jobName(build.metadata.name) }).pipe(
      Effect.map(readJob),
      Effect.catchTag('NotFound', () => jobFromPods(build)),
    );
  }).pipe(Effect.match({ onSuccess: (job) => known(job), onFailure: couldNotRead }));

const jobFromPods = (build: CoreBuild) =>
  Effect.map(podsOfRun(build), (found): JobSeen => {
    const phases = found.map((pod) => pod.status?.phase);
    const outcome = phases.includes('Succeeded') ? 'succeeded' : phases.includes('Failed') ? 'failed' : null;
    if (outcome === null) return { is: 'absent' };
    const failedPods = phases.filter((phase) => phase === 'Failed').length;
    return { is: 'present', run: build.status?.startedAt ?? '', outcome, failedPods };
  });

type Host = typeof GitHost.Service;

const headOf = ({ spec }: CoreBuild) => spec.branch || 'HEAD';

/** The head of the build's branch, whichever commit it builds. */
export const askHead = (build: CoreBuild, asking: Asking) => askCommit(build, headOf(build), asking);

const askCommit = (build: CoreBuild, ref: string, asking: Asking) =>
  askGitHost(build, asking, (host, token, repository) => host.commit(token, repository, ref));

const askChecks = (build: CoreBuild, asking: Asking) =>
  askGitHost(build, asking, (host, token, repository) =>
    host.checkRuns(token, repository, build.status?.sourceRevision ?? ''),
  );

/** Sends one request to the Git host, with the token of the build's connection. */
const askGitHost = <T>(
  { spec }: CoreBuild,
  { reader, gitUrl }: Asking,
  request: (host: Host, token: string, repository: string) => Effect.Effect<GitAnswer<T>>,
): Effect.Effect<GitAnswer<T>, never, Outside> =>
  Effect.gen(function* () {
    const host = yield* GitHost;
    const secret = reader.get(connections, spec.connectionRef?.name ?? '')?.spec.secretRef.name ?? '';
    const token = secretText(reader.get(secrets, secret), 'token');
    return yield* request(host, token, repositoryName(spec.repository ?? '', gitUrl) ?? '');
  });

/** The location of a build's log. A failing store counts as one without the log: the ensure retries the upload. */
export const askLog = (build: CoreBuild, asking: Asking): FactAnswer =>
  Effect.map(
    Effect.orElseSucceed(findLog(build, asking), (): LogSeen => 'waiting'),
    known,
  );

/** Looks up the log of this run in the object store; fails when the store does. */
export const findLog = Effect.fnUntraced(function* (build: CoreBuild, { reader }: Asking) {
  if (isOfThisRun(yield* archivedOf(build, reader), build)) return 'archived' satisfies LogSeen;
  const job = yield* askJob(build);
  return (job.is === 'known' && job.value.is === 'absent' ? 'gone' : 'waiting') satisfies LogSeen;
});
