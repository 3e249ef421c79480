import type { RouterContext } from '@koa/router';
import { Effect, Result, Stream } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { announceCoding } from '../../response/compress.ts';
import { type Channel, sse } from '../../events/channel.ts';
import { orThrow, refuse } from '../../orThrow.ts';
import type { RouteContext } from '../../route.ts';
import { isArchivedLog, missingLogMessage } from '../../views/log.ts';
import { archivedLog, podsOfRun } from '../../../runtime/controllers/build/read.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import type { LogEnd } from './shapes.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';

/** How often the log checks for the pod of a run that has none yet. */
const podPollMs = 1_000;

/** Which lines of a log are read. */
interface LogQuery {
  readonly container?: string;
  readonly tail?: number;
  readonly follow?: boolean;
}

/** Responds with the log of a build: from its pod while there is one, from the object store once it is archived. */
export async function sendBuildLog(
  ctx: RouterContext,
  context: RouteContext,
  build: CoreBuild,
  query: LogQuery,
): Promise<void> {
  const { container = 'builder', tail, follow = false } = query;
  if (follow) return followLog(ctx, context, build, container);
  ctx.type = 'text/plain; charset=utf-8';
  const text = await textOf(ctx, context, build, { container, tail });
  announceCoding(ctx, text);
  ctx.body = text;
}

interface Lines {
  readonly container: string;
  readonly tail: number | undefined;
}

async function textOf(
  ctx: RouterContext,
  context: RouteContext,
  build: CoreBuild,
  { container, tail }: Lines,
): Promise<string> {
  const { run, now, caches } = context;
  if (container === 'builder' && isArchivedLog(build)) {
    const archived = orThrow(ctx, await run(archivedLog(build, caches)));
    return tailOf(archived ?? refuse(ctx, 404, 'The log is gone: the object store has none'), tail);
  }
  const pod = await podOf(ctx, context, build);
  if (pod === null) return refuse(ctx, 404, missingLogMessage(build, now()));
  const log = await run(
    Effect.flatMap(Cluster, (cluster) =>
      cluster.podLog({ name: pod }, { container, ...(tail === undefined ? {} : { tailLines: tail }) }),
    ),
  );
  // Kubernetes responds with 400 as long as the container waits.
  if (Result.isFailure(log) && log.failure._tag === 'Refused' && log.failure.status === 400)
    return refuse(ctx, 404, `The container "${container}" has not started yet`);
  return orThrow(ctx, log, { NotFound: { status: 404, text: missingLogMessage(build, now()) } });
}

/** The newest pod of the run; null when there is none. */
async function podOf(ctx: RouterContext, { run }: RouteContext, build: CoreBuild): Promise<string | null> {
  const pods = orThrow(ctx, await run(podsOfRun(build)));
  return pods.at(-1)?.metadata.name ?? null;
}

async function followLog(
  ctx: RouterContext,
  context: RouteContext,
  build: CoreBuild,
  container: string,
): Promise<void> {
  const { run, streams } = context;
  const isRunning = build.status?.phase === 'Running';
  const pod = isRunning ? null : await podOf(ctx, context, build);
  if (pod === null && !isRunning) {
    const text = await textOf(ctx, context, build, { container, tail: undefined });
    const channel = streams.open(ctx);
    return sendLines(channel, linesOf(text), 'the log is complete');
  }
  const channel = streams.open(ctx);
  const found = pod ?? (await awaitPod(ctx, context, build, channel));
  if (found === null) return sendLines(channel, [], 'no pod of this run is left');
  const followed = await run(
    Effect.flatMap(Cluster, (cluster) =>
      cluster.logLines({ name: found }, { container, follow: true }).pipe(
        Stream.takeWhile(() => channel.isOpen()),
        Stream.runForEach((line) => Effect.promise(() => channel.writeAll(lineEvent(line)))),
      ),
    ).pipe(Effect.raceFirst(Effect.callback<void>((resume) => channel.onClose(() => resume(Effect.void))))),
  );
  const reason = Result.isFailure(followed) ? errorMessage(followed.failure) : 'the container ended';
  return sendLines(channel, [], reason);
}

/** Waits for the pod of a new run. */
async function awaitPod(
  ctx: RouterContext,
  context: RouteContext,
  build: CoreBuild,
  channel: Channel,
): Promise<string | null> {
  const { caches } = context;
  const { name, uid } = build.metadata;
  while (channel.isOpen()) {
    const newest = caches.get(builds, name);
    const pod = newest ? await podOf(ctx, context, newest) : null;
    if (pod !== null || newest?.metadata.uid !== uid || newest?.status?.phase !== 'Running') return pod;
    await new Promise((resolve) => setTimeout(resolve, podPollMs));
  }
  return null;
}

const lineEvent = (line: string) => sse('line', JSON.stringify({ line }));

async function sendLines(channel: Channel, lines: readonly string[], reason: string): Promise<void> {
  await channel.writeAll(lines.map(lineEvent).join(''));
  channel.write(sse('end', JSON.stringify({ reason } satisfies LogEnd)));
  channel.end();
}

const linesOf = (log: string): readonly string[] => (log === '' ? [] : log.replace(/\n$/, '').split('\n'));

const tailOf = (log: string, tail: number | undefined): string =>
  tail === undefined ? log : `${linesOf(log).slice(-tail).join('\n')}\n`;
