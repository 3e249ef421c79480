import { Context, Effect } from 'effect';
import { type CoreBuild, coreBuild } from '../../crds/coreBuild.ts';
import { type KubeObject, typeMeta } from '../../crds/kind.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { buildLabels, jobName } from '../../rules/build/build.ts';
import type { CheckRun, GitAnswer, PullRequestAtHost } from '../../rules/gitAnswer.ts';
import { appController } from '../../runtime/controllers/app/controller.ts';
import { buildController } from '../../runtime/controllers/build/controller.ts';
import { connectionController } from '../../runtime/controllers/gitHostConnection/controller.ts';
import { clusters, projects, builds } from '../../runtime/services/cluster/kinds.ts';
import type { Pod } from '../../crds/builtIn.ts';
import { jobs, pods } from '../../runtime/services/cluster/resources.ts';
import type { Controller } from '../../runtime/contract/controller.ts';
import type { OperatorOptions } from '../../runtime/operator.ts';
import { Exec } from '../../runtime/services/exec.ts';
import { Cloud } from '../../runtime/services/cloud.ts';
import { Cluster, type Resource } from '../../runtime/services/cluster/cluster.ts';
import {
  type AppCredentials,
  GitHost,
  type Installation,
  type InstallationToken,
  type MadeApplication,
  type Repository,
} from '../../runtime/services/gitHost.ts';
import { type FunctionAnswer, type FunctionCall, FunctionFailed, Functions } from '../../runtime/services/functions.ts';
import { ManagedDb } from '../../runtime/services/managedDb.ts';
import { Journal } from '../../runtime/services/journal.ts';
import { MetricsStore, NoMetricsStore } from '../../runtime/services/metricsStore.ts';
import { Metrics } from '../../runtime/services/metrics.ts';
import { Passwords } from '../../runtime/services/passwords.ts';
import type { ReceiverAnswer } from '../../rules/webhookDelivery/facts.ts';
import { type ReceiverRequest, Receivers } from '../../runtime/services/receivers.ts';
import { type Bucket, ObjectStore, type Standing, StoreFailed } from '../../runtime/services/objectStore.ts';
import type { Gate } from '../../runtime/services/gate.ts';
import type { CloudOptions } from '../../runtime/local/cloud/within.ts';
import { startOperator, type Services } from '../../runtime/start.ts';
import { Dns } from '../../runtime/services/dns/names.ts';
import { Probe, type Probed } from '../../runtime/services/dns/probe.ts';
import { DnsProvider } from '../../runtime/services/dns/provider.ts';
import { Ssh, type SshCommand, SshFailed } from '../../runtime/services/ssh/ssh.ts';
import { memoryCloud } from './memory/cloud.ts';
import { memoryExec } from './memory/exec.ts';
import { memoryJournal } from './memory/journal.ts';
import { memoryManagedDb } from './memory/managedDb.ts';
import { memoryCluster } from './memoryCluster.ts';
import { memoryProvider } from './memoryProvider.ts';

export const digest = (character: string) => `sha256:${character.repeat(64)}`;

const tokenLastsMs = 3_600_000;

const installationIn = (all: GitAnswer<readonly Installation[]>, id: number): GitAnswer<Installation> => {
  if (all.is !== 'found') return all;
  const value = all.value.find((one) => one.id === id);
  return value ? { is: 'found', value } : { is: 'refused', code: 404, status: '404 Not Found' };
};

/** What the Git host of an environment answers; a test changes it as it goes. */
interface FakeGitHost {
  commit: GitAnswer<string>;
  checks: GitAnswer<readonly CheckRun[]>;
  installations: GitAnswer<readonly Installation[]>;
  repositories: GitAnswer<readonly Repository[]>;
  made: GitAnswer<MadeApplication>;
  /** What it says of pull requests, by number; it has no others. */
  readonly pullRequests: Map<number, GitAnswer<PullRequestAtHost>>;
  /** What it says instead of giving a token; null while it gives one to whoever has the application's key. */
  noToken: GitAnswer<never> | null;
  /** Every token it gave, no two the same. */
  readonly issued: string[];
  asked: string[];
  /** Told of a question before it is answered. */
  hears: (question: string) => void;
}

/** What the functions of an environment are asked, and what they answer. */
interface FakeFunctions {
  readonly calls: FunctionCall[];
  answer: FunctionAnswer | FunctionFailed;
}

/** What of the platform is reached from outside: names, the public address, servers that join. */
interface FakeNetwork {
  /** The addresses of names; `null` where the server fails. */
  readonly names: Map<string, readonly string[] | null>;
  /** What the public address answers. */
  probe: Probed;
  readonly probed: string[];
  readonly commands: SshCommand[];
  /** Why commands fail; empty while they do not. */
  sshFails: string;
}

/** What the receivers of an environment get, and what they answer. */
interface FakeReceivers {
  readonly got: ReceiverRequest[];
  answer: (request: ReceiverRequest) => Effect.Effect<ReceiverAnswer>;
}

const gitUrl = 'https://git.example';

/** The controllers that an environment runs when nobody says which. */
export const buildControllers = (): readonly Controller[] => [
  buildController({ builderImage: 'builder', gitImage: 'git', gitUrl }),
  appController({ gitUrl }),
  connectionController(),
];

export interface TestEnvironmentOptions {
  /** The wall clock of the cluster, ms since the epoch. */
  readonly now?: () => number;
  readonly controllers?: readonly Controller[];
  readonly alsoSeen?: readonly Resource[];
  /** How its cloud differs from the usual one. */
  readonly clouded?: Partial<CloudOptions>;
}

/** A whole test environment in memory: cluster, Git host and object store, over which the real operator runs. */
export function makeTestEnvironment({
  now = Date.now,
  controllers = buildControllers(),
  alsoSeen = [],
  clouded = {},
}: TestEnvironmentOptions = {}) {
  const cluster = memoryCluster(() => new Date(now()).toISOString());
  const exec = memoryExec(cluster);
  const cloud = memoryCloud(now, clouded);
  const git: FakeGitHost = {
    commit: { is: 'found', value: 'c'.repeat(40) },
    checks: { is: 'found', value: [] },
    installations: { is: 'found', value: [{ id: 1, account: 'local' }] },
    made: { is: 'silent', why: 'nobody made one' },
    pullRequests: new Map(),
    repositories: { is: 'found', value: [{ name: 'demo/shop', defaultBranch: 'main', private: false }] },
    noToken: null,
    issued: [],
    asked: [],
    hears: () => {},
  };
  const asking = <A>(question: string, answer: () => GitAnswer<A>) =>
    Effect.sync(() => {
      git.hears(question);
      git.asked.push(question);
      return answer();
    });
  const newToken = ({ privateKey }: AppCredentials): GitAnswer<InstallationToken> => {
    if (privateKey === '') return { is: 'silent', why: 'the private key of the application cannot be used' };
    if (git.noToken) return git.noToken;
    const token = `token-of-an-installation-${git.issued.length + 1}`;
    git.issued.push(token);
    return { is: 'found', value: { token, expiresAt: new Date(now() + tokenLastsMs).toISOString() } };
  };
  const bucket = new Map<string, Omit<Standing, 'etag'> & { readonly text: string }>();
  const store = { failing: false };
  const at = (_: Bucket, key: string) => bucket.get(key) ?? null;
  const standing = (where: Bucket, key: string): Standing | null => {
    const kept = at(where, key);
    return kept && { metadata: kept.metadata, etag: JSON.stringify(kept) };
  };
  const storing = <A>(run: () => A) =>
    Effect.suspend(() =>
      store.failing ? Effect.fail(new StoreFailed({ message: 'the store is down' })) : Effect.sync(run),
    );
  const functions: FakeFunctions = {
    calls: [],
    answer: new FunctionFailed({ message: 'nothing listens', late: false }),
  };
  const reach: FakeNetwork = {
    names: new Map(),
    probe: { is: 'silent', why: 'ECONNREFUSED' },
    probed: [],
    commands: [],
    sshFails: '',
  };
  const dnsProvider = memoryProvider();
  const receivers: FakeReceivers = {
    got: [],
    answer: () => Effect.succeed({ is: 'answered', code: 200 }),
  };
  let passes = 0;
  let drawn = 0;
  const provider = memoryManagedDb();
  const metrics = {
    refused: [] as string[],
    moved: [] as string[],
    ensureFailed: [] as string[],
    passes: () => passes,
  };
  const logged: string[] = [];

  const services: Context.Context<Services | Exec | Functions | MetricsStore> = Context.make(Cluster, cluster).pipe(
    Context.add(Exec, exec),
    Context.add(Cloud, cloud.cloud),
    Context.add(GitHost, {
      commit: (_, repository, ref) => asking(`commit ${repository} ${ref}`, () => git.commit),
      checkRuns: (_, repository, sha) => asking(`checks ${repository} ${sha}`, () => git.checks),
      pullRequest: (_, repository, number) =>
        asking(
          `pull request ${repository} ${number}`,
          () => git.pullRequests.get(number) ?? { is: 'refused', code: 404, status: '404 Not Found' },
        ),
      installationToken: (app, installation) => asking(`token ${installation}`, () => newToken(app)),
      installation: (_, id) => asking(`installation ${id}`, () => installationIn(git.installations, id)),
      installations: () => asking('installations', () => git.installations),
      madeApplication: (code) => asking(`made ${code}`, () => git.made),
      repositories: (token) => asking(`repositories ${token}`, () => git.repositories),
    }),
    Context.add(ObjectStore, {
      put: (where, key, { text, metadata, over }) =>
        Effect.suspend(() =>
          (standing(where, key)?.etag ?? null) === over
            ? storing(() => void bucket.set(key, { text, metadata }))
            : Effect.fail(new StoreFailed({ message: 'PreconditionFailed: another object stands there' })),
        ),
      head: (where, key) => storing(() => standing(where, key)),
      get: (where, key) => storing(() => at(where, key)?.text ?? null),
    }),
    Context.add(Functions, {
      call: (call) =>
        Effect.suspend(() => {
          functions.calls.push(call);
          const { answer } = functions;
          return answer instanceof FunctionFailed ? Effect.fail(answer) : Effect.succeed(answer);
        }),
    }),
    Context.add(MetricsStore, { range: () => Effect.fail(new NoMetricsStore({ message: 'nobody answers' })) }),
    Context.add(Receivers, {
      post: (request) =>
        Effect.suspend(() => {
          receivers.got.push(request);
          return receivers.answer(request);
        }),
    }),
    Context.add(Passwords, { draw: Effect.sync(() => `password-${++drawn}`) }),
    Context.add(Dns, {
      resolve: (host) =>
        Effect.sync(() => {
          const addresses = reach.names.get(host) ?? (reach.names.has(host) ? null : []);
          return addresses === null ? { is: 'failed', why: 'ESERVFAIL' } : { is: 'found', addresses };
        }),
    }),
    Context.add(Probe, {
      ask: (host) =>
        Effect.sync(() => {
          reach.probed.push(host);
          return reach.probe;
        }),
    }),
    Context.add(DnsProvider, dnsProvider),
    Context.add(Ssh, {
      run: (command) =>
        Effect.suspend(() => {
          reach.commands.push(command);
          return reach.sshFails === '' ? Effect.void : Effect.fail(new SshFailed({ message: reach.sshFails }));
        }),
    }),
    Context.add(ManagedDb, provider.service),
    Context.add(Journal, memoryJournal()),
    Context.add(Metrics, {
      passed: () => {
        passes++;
      },
      moved: (_, from, event, to) => void metrics.moved.push(`${from} ${event} ${to}`),
      refused: (machine, origin) => void metrics.refused.push(`${machine} ${origin}`),
      queueDepth: () => {},
      ensureFailed: (kind, ensure) => void metrics.ensureFailed.push(`${kind} ${ensure}`),
    }),
  );

  const options: OperatorOptions = { controllers, alsoSeen: [projects, clusters, ...alsoSeen], workers: 2 };
  const start = (gate?: Gate, over: Context.Context<Services> = services) =>
    startOperator(over, options, gate ? { gate } : {});

  /** A pod of a Job, named after the Job and this. */
  const putPod = ({ metadata: { name, uid = '', annotations } }: KubeObject, suffix: string, status: object) =>
    cluster.put<Pod>(pods, {
      metadata: {
        name: `${name}-${suffix}`,
        namespace: systemNamespace,
        labels: { 'batch.kubernetes.io/job-name': name },
        annotations: { [annotation.run]: annotations?.[annotation.run] ?? '' },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid }],
      },
      status,
    });

  /** Ends the Job of a build as its run would: pods first, then the Job's condition. */
  const endJob = (build: string, outcome: 'Complete' | 'Failed', message = digest('d')) => {
    const job = cluster.all(jobs).find(({ metadata }) => metadata.name === jobName(build));
    if (!job) throw new Error(`${build} has no Job`);
    putPod(job, job.metadata.uid ?? '', {
      phase: outcome === 'Complete' ? 'Succeeded' : 'Failed',
      containerStatuses: [
        { name: 'builder', state: { terminated: { exitCode: outcome === 'Complete' ? 0 : 1, message } } },
      ],
    });
    cluster.put(jobs, {
      ...job,
      status: {
        failed: outcome === 'Failed' ? 3 : 0,
        conditions: [{ type: outcome, status: 'True' }],
        ...(outcome === 'Complete' ? { completionTime: new Date(now()).toISOString() } : {}),
      },
    });
  };

  const build = (name: string) => cluster.all(builds).find(({ metadata }) => metadata.name === name);
  return {
    now,
    cluster,
    exec,
    cloud,
    git,
    reach,
    dnsProvider,
    functions,
    receivers,
    provider,
    bucket,
    store,
    metrics,
    logged,
    services,
    options,
    start,
    putPod,
    endJob,
    build,
  };
}

export type TestEnvironment = ReturnType<typeof makeTestEnvironment>;

/** A build that needs nobody: a pinned revision, no connection, a registry. */
export const userBuild = (
  name: string,
  spec: Partial<CoreBuild['spec']> = {},
  status?: CoreBuild['status'],
): CoreBuild => ({
  ...typeMeta(coreBuild),
  metadata: { name, namespace: systemNamespace },
  spec: {
    app: 'shop',
    project: 'demo',
    environment: 'production',
    repository: 'demo/shop',
    revision: 'a'.repeat(40),
    registry: 'registry.local/apps/shop',
    waitForCI: false,
    cache: false,
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});

/** A build as long as it takes: its annotations may be long, fields of its spec may not. */
export const padded = (build: CoreBuild, padding: string): CoreBuild => ({
  ...build,
  metadata: { ...build.metadata, annotations: { padding } },
});

/** As the operator makes a build: with nothing left to add to it. */
export const labelled = (build: CoreBuild): CoreBuild => ({
  ...build,
  metadata: { ...build.metadata, labels: buildLabels(build.spec) },
});

export { until } from './until.ts';
