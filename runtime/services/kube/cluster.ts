import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { Cause, Effect, Exit, Queue, type Scope, Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { program, systemNamespace } from '../../../crds/names.ts';
import { pods } from '../cluster/resources.ts';
import {
  type ApplyOver,
  Unavailable,
  type ClusterShape,
  type Gone,
  type Listed,
  type ListOptions,
  longestLine,
  type Name,
  type Precondition,
  type Refused,
  type Resource,
  type Watched,
  type WatchOptions,
} from '../cluster/cluster.ts';
import { type Failure, failureOf, ofList, ofRead, ofRemove, ofWrite, silence } from './failure.ts';
import { type SharedParser, sharedParser } from './sharedParser.ts';
import { withType } from './typeMeta.ts';
import { watchedIn } from './watchLine.ts';
import { type Ask, eachLine, makeTransport, chunksOf, type Transport } from './transport.ts';
import type { Body } from './response.ts';

const answerWithinMs = 30_000;
/** The server ends a watch after this time; the watch then resumes. */
const watchSeconds = 290;
/** A container may print nothing for an hour. */
const logSilenceMs = 3_600_000;

/** Keeps external names a single path segment. */
const part = encodeURIComponent;

export const pathOf = (resource: Resource, name: Partial<Name>, more = '') => {
  const group = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const namespace = name.namespace ?? systemNamespace;
  const scope = resource.namespaced && namespace !== 'all' ? `/namespaces/${part(namespace)}` : '';
  return `${group}${scope}/${resource.plural}${name.name === undefined ? '' : `/${part(name.name)}`}${more}`;
};

const query = (values: Readonly<Record<string, string | number | boolean | undefined>>) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
};

const guarded = (patch: object, { uid, resourceVersion }: Precondition = {}) => {
  const { metadata } = patch as { readonly metadata?: object };
  const guard = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
  return uid || resourceVersion ? { ...patch, metadata: { ...metadata, ...guard } } : patch;
};

/** The body of an apply. No object ever has version 1, so any existing object causes a conflict. */
export const appliedOver = (object: KubeObject, over: ApplyOver): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...(over === 'nothing' ? { resourceVersion: '1' } : { uid: over.uid }) },
});

/** The cluster that a kubeconfig points to. `renewed` reads the kubeconfig again when its credentials are refused. */
export function kubeCluster(config: KubeConfig, renewed?: () => KubeConfig): ClusterShape {
  const transport = makeTransport(config, renewed);

  const parsed = sharedParser();

  const send = (ask: Omit<Ask, 'silenceMs' | 'signal'>): Effect.Effect<string, Failure> =>
    Effect.flatMap(transport.exchange({ ...ask, silenceMs: answerWithinMs }), ({ statusCode, headers, text }) =>
      statusCode < 400 ? Effect.succeed(text) : Effect.fail(failureOf(statusCode, text, headers)),
    );

  const object = <O extends KubeObject>(ask: Parameters<typeof send>[0]) =>
    Effect.map(send(ask), (text) => parsed.object(text) as O);

  return {
    get: <O extends KubeObject>(resource: Resource<O>, name: Name) =>
      object<O>({ method: 'GET', path: pathOf(resource, name) }).pipe(Effect.mapError(ofRead)),
    list: <O extends KubeObject>(resource: Resource<O>, { namespace, ...selectors }: ListOptions = {}) => {
      const path = pathOf(resource, namespace === undefined ? {} : { namespace }) + query(selectors);
      return send({ method: 'GET', path }).pipe(
        Effect.map((text) => listed(resource, JSON.parse(text) as RawList<O>)),
        Effect.mapError(ofList),
      );
    },
    watch: (resource, options) => watch({ transport, parsed }, resource, options),
    create: <O extends KubeObject>(resource: Resource<O>, created: O) => {
      const { namespace } = created.metadata;
      const path = pathOf(resource, namespace === undefined ? {} : { namespace });
      return object<O>({ method: 'POST', path, body: JSON.stringify(created) }).pipe(Effect.mapError(ofWrite));
    },
    apply: <O extends KubeObject>(resource: Resource<O>, applied: KubeObject, over: ApplyOver) =>
      object<O>({
        method: 'PATCH',
        path: pathOf(resource, applied.metadata) + query({ fieldManager: program, force: true }),
        body: JSON.stringify(appliedOver(applied, over)),
        contentType: 'application/apply-patch+yaml',
      }).pipe(Effect.mapError(ofWrite)),
    patch: <O extends KubeObject>(resource: Resource<O>, name: Name, body: object, precondition?: Precondition) =>
      object<O>(merge(pathOf(resource, name), body, precondition)).pipe(Effect.mapError(ofWrite)),
    patchStatus: <O extends KubeObject>(
      resource: Resource<O>,
      name: Name,
      status: object,
      precondition?: Precondition,
    ) => object<O>(merge(pathOf(resource, name, '/status'), { status }, precondition)).pipe(Effect.mapError(ofWrite)),
    remove: (resource, name, preconditions = {}) =>
      send({ method: 'DELETE', path: pathOf(resource, name), body: deleteOptions(preconditions) }).pipe(
        Effect.asVoid,
        Effect.mapError(ofRemove),
        Effect.catchTag('NotFound', () => Effect.void),
      ),
    podLog: (name, { container, tailLines, limitBytes }) =>
      send({ method: 'GET', path: pathOf(pods, name, '/log') + query({ container, tailLines, limitBytes }) }).pipe(
        Effect.mapError(ofRead),
      ),
    foldLog: (name, container, { start, next }) =>
      opened(transport, pathOf(pods, name, '/log') + query({ container }), answerWithinMs).pipe(
        Effect.flatMap((body) =>
          Effect.tryPromise({
            try: async () => {
              let folded = start;
              for await (const piece of chunksOf(body)) folded = next(folded, piece);
              return folded;
            },
            catch: silence,
          }),
        ),
        Effect.scoped,
        Effect.mapError(ofRead),
      ),
    logLines: (name, options) =>
      lines(
        transport,
        {
          path: pathOf(pods, name, '/log') + query({ ...options }),
          silenceMs: options.follow === true ? logSilenceMs : answerWithinMs,
          longest: longestLine,
        },
        Exit.succeed,
      ).pipe(Stream.mapError(ofRead)),
  };
}

const merge = (path: string, body: object, precondition?: Precondition) => ({
  method: 'PATCH' as const,
  path,
  body: JSON.stringify(guarded(body, precondition)),
  contentType: 'application/merge-patch+json',
});

/** Sets the policy explicitly: without it, deleting a Job leaves its pods behind. */
const deleteOptions = (preconditions: Precondition) =>
  JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background', preconditions });

interface RawList<O> {
  readonly items: readonly O[];
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
}

const listed = <O extends KubeObject>(resource: Resource<O>, { items, metadata }: RawList<O>): Listed<O> => ({
  items: items.map((item) => withType(resource, item)),
  resourceVersion: metadata.resourceVersion ?? '0',
  ...(metadata.continue ? { continue: metadata.continue } : {}),
});

/** The body of a successful response; closing the scope drops the connection. */
const opened = (transport: Transport, path: string, silenceMs: number): Effect.Effect<Body, Failure, Scope.Scope> =>
  Effect.gen(function* () {
    const { statusCode, headers, body } = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: (signal) => transport.open({ method: 'GET', path, silenceMs, signal }),
        catch: silence,
      }),
      (begun) => Effect.sync(() => begun.body.on('error', nobodyReads).destroy()),
      { interruptible: true },
    );
    if (statusCode < 400) return body;
    const text = yield* Effect.tryPromise({ try: () => body.text(), catch: silence });
    return yield* Effect.fail(failureOf(statusCode, text, headers));
  });

/** A destroyed body emits an error, which has no reader then. */
const nobodyReads = () => {};

interface Lines {
  readonly path: string;
  /** Runs once the server has accepted the request. */
  readonly opened?: Effect.Effect<void>;
  readonly silenceMs: number;
  /** In characters; longer lines are cut. */
  readonly longest?: number;
}

/** Parses the lines of a response as they arrive; null skips a line. */
const lines = <A>(
  transport: Transport,
  { path, opened: accepted = Effect.void, ...limits }: Lines,
  read: (line: string) => Exit.Exit<A, Failure> | null,
): Stream.Stream<A, Failure> =>
  Stream.callback<A, Failure>(
    (queue) =>
      Effect.map(Effect.tap(opened(transport, path, limits.silenceMs), accepted), (body) =>
        eachLine(
          { body, ...limits },
          {
            line: (line) => {
              const said = read(line);
              if (said === null) return;
              if (Exit.isSuccess(said)) Queue.offerUnsafe(queue, said.value);
              else Queue.failCauseUnsafe(queue, said.cause);
            },
            end: () => Queue.endUnsafe(queue),
            fail: (error) => Queue.failCauseUnsafe(queue, Cause.fail(silence(error))),
          },
        ),
      ),
    { bufferSize: Number.POSITIVE_INFINITY },
  );

interface Watching {
  readonly transport: Transport;
  readonly parsed: SharedParser;
}

const watch = <O extends KubeObject>(
  { transport, parsed }: Watching,
  resource: Resource<O>,
  { resourceVersion, namespace, silenceMs, opened = Effect.void, ...selection }: WatchOptions,
): Stream.Stream<Watched<O>, Refused | Unavailable | Gone> => {
  const path =
    pathOf(resource, namespace === undefined ? {} : { namespace }) +
    query({ watch: true, allowWatchBookmarks: true, timeoutSeconds: watchSeconds, resourceVersion, ...selection });
  return lines(transport, { path, silenceMs, opened }, (line) => watchedIn(resource, line, parsed)).pipe(
    Stream.mapError(ofList),
  );
};
