import { Effect, Stream } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { Unavailable, type Name, NotFound, type Resource } from '../../../runtime/services/cluster/cluster.ts';
import type { Standing } from '../../../runtime/services/objectStore.ts';
import type { Bug } from './bug.ts';
import { withCluster, withGit, withStore } from './decorators.ts';

/** Bugs in the communication with external services, as decorators of the services of every process. */
export const serviceBugs: readonly Bug[] = [
  {
    name: 'writes without precondition',
    family: 'missing precondition',
    text: 'no write says of which version or which object it is',
    plant: withCluster((cluster) => ({
      ...cluster,
      patchStatus: (resource, name, status) => cluster.patchStatus(resource, name, status),
      remove: (resource, name) => cluster.remove(resource, name),
    })),
  },
  {
    name: 'conflict taken for success',
    family: 'swallowed error',
    text: 'a status that met a conflict counts as written',
    plant: withCluster((cluster) => ({
      ...cluster,
      patchStatus: (resource, name, ...rest) =>
        cluster
          .patchStatus(resource, name, ...rest)
          .pipe(Effect.catchTag('Conflict', () => cluster.get(resource, name))),
    })),
    by: ['conflict'],
  },
  {
    name: 'conflict written over',
    family: 'missing precondition',
    text: 'a status that met a conflict is written again, over what came in between',
    plant: withCluster((cluster) => ({
      ...cluster,
      patchStatus: (resource, name, status, ...rest) =>
        cluster
          .patchStatus(resource, name, status, ...rest)
          .pipe(Effect.catchTag('Conflict', () => cluster.patchStatus(resource, name, status))),
    })),
    by: ['conflict', 'changed by hand amid a pass'],
  },
  {
    name: 'conflict written over the newest',
    family: 'missing precondition',
    text: 'a status that met a conflict is written again over the newest version, without deciding anew',
    plant: withCluster((cluster) => ({
      ...cluster,
      patchStatus: (resource, name, status, ...rest) =>
        cluster
          .patchStatus(resource, name, status, ...rest)
          .pipe(
            Effect.catchTag('Conflict', () =>
              Effect.flatMap(cluster.get(resource, name), ({ metadata: { resourceVersion = '' } }) =>
                cluster.patchStatus(resource, name, status, { resourceVersion }),
              ),
            ),
          ),
    })),
    by: ['changed by hand amid a pass', 'two leaders'],
  },
  {
    name: '503 taken for success',
    family: 'swallowed error',
    text: 'an object whose creation was refused counts as created',
    plant: withCluster((cluster) => ({
      ...cluster,
      create: (resource, object) =>
        cluster.create(resource, object).pipe(Effect.catchTag('Unavailable', () => Effect.succeed(object))),
    })),
    by: ['call refused'],
  },
  {
    name: 'lost answer taken for refusal',
    family: 'lost answer',
    text: 'a creation without an answer is made once more under another name',
    plant: withCluster((cluster) => ({
      ...cluster,
      create: (resource, object) =>
        cluster.create(resource, object).pipe(
          Effect.catchTag('Unavailable', () => {
            const { metadata } = object;
            return cluster.create(resource, { ...object, metadata: { ...metadata, name: `${metadata.name}-2` } });
          }),
        ),
    })),
    by: ['answer lost'],
  },
  {
    name: 'creation tried twice',
    family: 'effect twice',
    text: 'whatever already exists is deleted and created again',
    plant: withCluster((cluster) => ({
      ...cluster,
      create: (resource, object) =>
        cluster
          .create(resource, object)
          .pipe(
            Effect.catchTag('AlreadyExists', () =>
              Effect.andThen(
                cluster.remove(resource, { name: object.metadata.name }),
                cluster.create(resource, object),
              ),
            ),
          ),
    })),
    by: ['answer lost', 'two leaders'],
  },
  {
    name: 'failed removal taken for done',
    family: 'swallowed error',
    text: 'a removal that was refused counts as done',
    plant: withCluster((cluster) => ({
      ...cluster,
      remove: (...given) => cluster.remove(...given).pipe(Effect.catchTag('Unavailable', () => Effect.void)),
    })),
    on: /cancelled by hand while it runs|built again while it runs/,
    by: ['call refused'],
  },
  {
    name: 'failed read is an empty list',
    family: 'swallowed error',
    text: 'a list that could not be read counts as empty',
    plant: withCluster((cluster) => ({
      ...cluster,
      list: (resource, options) =>
        cluster
          .list(resource, options)
          .pipe(Effect.catchTag('Unavailable', () => Effect.succeed({ items: [], resourceVersion: '1' }))),
    })),
    by: ['call refused', 'no answer'],
  },
  {
    name: 'failed read is not found',
    family: 'swallowed error',
    text: 'an object that could not be read counts as one that is not there',
    plant: withCluster((cluster) => ({
      ...cluster,
      get: (resource, name) =>
        cluster
          .get(resource, name)
          .pipe(Effect.catchTag('Unavailable', () => Effect.fail(new NotFound({ what: name.name })))),
    })),
    on: /^the log of both runs/,
    by: ['read refused, stale cache'],
  },
  {
    name: 'direct reads remembered',
    family: 'stale view',
    text: 'what was once read directly is never read again',
    plant: withCluster((cluster) => {
      const read = new Map<string, KubeObject>();
      return {
        ...cluster,
        get: <O extends KubeObject>(resource: Resource<O>, name: Name) =>
          Effect.suspend(() => {
            const key = `${resource.plural} ${name.name}`;
            const known = read.get(key) as O | undefined;
            if (known) return Effect.succeed(known);
            return Effect.tap(cluster.get(resource, name), (found) => Effect.sync(() => read.set(key, found)));
          }),
      };
    }),
    on: /again|reset|command/,
  },
  {
    name: 'watch that ended stays ended',
    family: 'broken watch',
    text: 'a watch that the server ends is not begun again',
    plant: withCluster((cluster) => ({
      ...cluster,
      watch: (resource, options) => Stream.concat(cluster.watch(resource, options), Stream.never),
    })),
    by: ['watch ends'],
  },
  {
    name: 'watch that failed stays failed',
    family: 'broken watch',
    text: 'a watch that fails is silent from then on',
    plant: withCluster((cluster) => ({
      ...cluster,
      watch: (resource, options) => cluster.watch(resource, options).pipe(Stream.catch(() => Stream.never)),
    })),
    by: ['watch deaf', 'watch too old', 'relist amid a pass'],
  },
  {
    name: 'too old is nothing new',
    family: 'broken watch',
    text: 'that a version is too old is no more than a failure: the watch is begun again from it',
    plant: withCluster((cluster) => ({
      ...cluster,
      watch: (resource, options) =>
        cluster
          .watch(resource, options)
          .pipe(Stream.catchTag('Gone', () => Stream.fail(new Unavailable({ message: 'gone' })))),
    })),
    by: ['watch too old', 'relist amid a pass'],
  },
  {
    name: 'deletions unheard',
    family: 'broken watch',
    text: 'news of deletions are not told on',
    plant: withCluster((cluster) => ({
      ...cluster,
      watch: (resource, options) => Stream.filter(cluster.watch(resource, options), ({ type }) => type !== 'deleted'),
    })),
    on: /deleted|reset|built again while it runs/,
  },
  {
    name: 'last page left out',
    family: 'stale cache',
    text: 'of a list the last object is lost',
    plant: withCluster((cluster) => ({
      ...cluster,
      list: (resource, options) =>
        Effect.map(cluster.list(resource, options), (found) => ({ ...found, items: found.items.slice(0, -1) })),
    })),
  },
  {
    name: 'Git host that is silent agrees',
    family: 'swallowed error',
    text: 'checks that could not be read count as none that failed',
    plant: withGit((host) => ({
      ...host,
      checkRuns: (...given) =>
        Effect.map(host.checkRuns(...given), (answer) =>
          answer.is === 'found'
            ? answer
            : { is: 'found', value: [{ name: 'test', status: 'completed', conclusion: 'success' }] },
        ),
    })),
    on: /checks are awaited|built again while it waits/,
    by: ['Git host'],
  },
  {
    name: 'answers of the Git host remembered',
    family: 'memory instead of state',
    text: 'what the Git host said of checks is never asked again',
    plant: withGit((host) => {
      let known: Effect.Success<ReturnType<typeof host.checkRuns>> | null = null;
      return {
        ...host,
        checkRuns: (...given) =>
          Effect.suspend(() =>
            known
              ? Effect.succeed(known)
              : Effect.tap(host.checkRuns(...given), (answer) =>
                  Effect.sync(() => {
                    known = answer;
                  }),
                ),
          ),
      };
    }),
    on: /checks are awaited/,
  },
  {
    name: 'store that refused has it',
    family: 'swallowed error',
    text: 'an upload that failed counts as done, and is remembered as such',
    plant: withStore((store) => {
      const kept = new Map<string, Standing>();
      return {
        ...store,
        put: (bucket, key, object) =>
          store.put(bucket, key, object).pipe(
            Effect.catch(() => Effect.void),
            Effect.tap(() => Effect.sync(() => kept.set(key, { metadata: object.metadata, etag: '' }))),
          ),
        head: (bucket, key) =>
          Effect.suspend(() => (kept.has(key) ? Effect.succeed(kept.get(key) ?? null) : store.head(bucket, key))),
      };
    }),
    on: /^the log is archived/,
    by: ['object store'],
  },
  {
    name: 'Job created outside is unknown',
    family: 'memory instead of state',
    text: 'only what this very process created is known to be there',
    plant: withCluster((cluster) => {
      const mine = new Set<string>();
      return {
        ...cluster,
        create: (resource, object) =>
          Effect.tap(cluster.create(resource, object), () => Effect.sync(() => mine.add(object.metadata.name))),
        get: (resource, name) =>
          resource.plural === 'jobs' && !mine.has(name.name)
            ? Effect.fail(new NotFound({ what: name.name }))
            : cluster.get(resource, name),
      };
    }),
    plans: ['build / checks are awaited / twins / lags of=jobs'],
    by: ['crash, stale cache'],
  },
];
