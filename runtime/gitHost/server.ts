import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectionLimits, stopOf } from '../services/connections.ts';
import { checkRunsIn } from './checkRuns.ts';
import { accessChecksOf } from './credentials.ts';
import { deliveriesIn } from './deliveries.ts';
import { faults } from './faults.ts';
import { gitIn } from './git.ts';
import { handler } from './handler.ts';
import type { Signer } from './jwt.ts';
import { fullName } from './names.ts';
import { madeAppsIn, type ShownApp } from './apps.ts';
import { pushPayloads, uuidOf } from './payload.ts';
import { listenAgain } from './port.ts';
import { pullRequestDesk } from './pullRequestEvents.ts';
import { pullRequestsIn } from './pullRequests.ts';
import { watchPushes } from './pushes.ts';
import { repositoriesIn } from './repositories.ts';
import { applicationRoutes } from './routes/application.ts';
import { checkRunRoutes } from './routes/checkRuns.ts';
import { manifestRoutes } from './routes/manifests.ts';
import { pullRequestRoutes } from './routes/pullRequests.ts';
import { repositoryRoutes } from './routes/repositories.ts';
import { testingRoutes } from './routes/testing.ts';
import { smartHttp } from './smartHttp.ts';
import { reportedRefsIn } from './reportedRefs.ts';
import { tokensIn } from './tokens.ts';
import { isolateRequests, makeFolder } from '../embedded/index.ts';

export interface GitHostOptions {
  readonly dataDir: string;
  readonly host: string;
  /** 0 for any free one, reused at the next start if still free. */
  readonly port: number;
  /** The platform's application, known from the start. */
  readonly app: Signer & ShownApp & { readonly webhookSecret: string };
  /** The receiver of push events; null while there is none. */
  readonly webhookUrl: () => string | null;
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

export interface RunningGitHost {
  readonly url: string;
  /** Base of the REST API. */
  readonly apiUrl: string;
  /** Base of the repositories: `<cloneUrl>/<owner>/<name>.git`. */
  readonly cloneUrl: string;
  readonly stop: () => Promise<void>;
}

/** A Git host for one machine: real repositories over smart HTTP, the supported Git host's REST API, signed events. */
export async function startGitHost(options: GitHostOptions): Promise<RunningGitHost> {
  const { dataDir, host, port, app, webhookUrl, log } = options;
  const root = join(dataDir, 'repositories');
  makeFolder(root);
  const git = gitIn(dataDir);
  const repositories = repositoriesIn(root, git);
  const tokens = tokensIn(dataDir);
  const broken = faults();
  const apps = madeAppsIn(dataDir, app);
  const receiver = { secret: () => apps.newest().webhookSecret, webhookUrl, log };
  const deliveries = deliveriesIn(join(dataDir, 'deliveries'), receiver);
  let url = '';
  const bases = () => ({ apiUrl: `${url}/api`, cloneUrl: url });
  const pullRequests = pullRequestsIn(dataDir);
  const desk = pullRequestDesk({ repositories, pullRequests, deliveries, bases });

  const pushes = watchPushes(
    repositories,
    reportedRefsIn(join(dataDir, 'told')),
    async ({ repository, moves, known }) => {
      const changes = moves.map(({ change }) => change);
      const bodies = await pushPayloads(repositories, repository, { changes, known, cloneUrl: url });
      const event = { event: 'push', repository: fullName(repository) };
      const bodyOf = (at: number) => JSON.stringify(bodies[at]);
      await deliveries.keep(moves.map(({ name }, at) => ({ ...event, id: uuidOf(name), body: bodyOf(at) })));
      for (const moved of moves) await desk.pushed(moved);
    },
  );

  const server = createServer(
    connectionLimits,
    handler({
      checks: accessChecksOf(tokens, apps),
      faults: broken,
      serveGit: smartHttp(git, repositories, pushes),
      routes: [
        ...repositoryRoutes(repositories, bases),
        ...checkRunRoutes(repositories, checkRunsIn(dataDir), bases),
        ...pullRequestRoutes({ repositories, pullRequests, desk, pushes }),
        ...applicationRoutes(apps, tokens),
        ...manifestRoutes(apps),
        ...testingRoutes(broken, deliveries),
      ],
      log,
    }),
  );
  server.requestTimeout = 0; // A large push over a slow connection takes long.
  isolateRequests(server, { onError: ({ message }) => log('server failed', { error: message }) });
  const stop = stopOf(server, 0);
  url = urlOf(await listenAgain(server, { dataDir, host, port }));

  pushes.resume().catch((error: unknown) => log('failed to report earlier pushes', { error: String(error) }));

  return {
    url,
    ...bases(),
    stop: async () => {
      const settled = pushes.stop();
      git.stop();
      await Promise.all([stop(), settled]);
      await deliveries.stop();
    },
  };
}

/** An address that reaches the server from this machine; a wildcard address is reached by loopback. */
function urlOf({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
