import { Effect, Logger, References } from 'effect';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { annotation, group } from '../../crds/names.ts';
import { kindsRelease, olderKindsLogged } from '../../runtime/kindsRelease.ts';
import { Cluster, type ClusterShape, Refused, Unavailable } from '../../runtime/services/cluster/cluster.ts';
import { definitionOf } from '../../runtime/services/cluster/resources.ts';
import { type MemoryCluster, memoryCluster } from '../support/memoryCluster.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the release of the stored kinds');
const names = kinds.map(({ plural }) => `${plural}.${group}`);
const [first = '', ...others] = names;

function define(cluster: MemoryCluster, name: string, release?: string): void {
  const annotations = release === undefined ? {} : { annotations: { [annotation.release]: release } };
  cluster.put(definitionOf(name), { metadata: { name, ...annotations } } satisfies KubeObject);
}

function defined(release: string, over: Readonly<Record<string, string | undefined>> = {}): MemoryCluster {
  const cluster = memoryCluster();
  for (const name of names) define(cluster, name, name in over ? over[name] : release);
  return cluster;
}

const read = (cluster: ClusterShape, program = 'v1.2.0') =>
  Effect.runPromise(kindsRelease(program).pipe(Effect.provideService(Cluster, cluster)));

/** The lines of a start of a program. */
async function linesOf(cluster: ClusterShape, program: string): Promise<readonly object[]> {
  const lines: object[] = [];
  const logger = Logger.make(({ logLevel, message, fiber }) => {
    lines.push({ logLevel, message, ...fiber.getRef(References.CurrentLogAnnotations) });
  });
  await Effect.runPromise(
    olderKindsLogged(program).pipe(Effect.provideService(Cluster, cluster), Effect.provide(Logger.layer([logger]))),
  );
  return lines;
}

/** A cluster that answers every read of one object in its own way. */
const answering = (get: () => Effect.Effect<never, Refused | Unavailable>): ClusterShape => ({
  ...memoryCluster(),
  get,
});

spec('kinds are of the oldest release that any of their definitions names', async () => {
  assert.is(await read(defined('v1.1.0')), 'v1.1.0');
  const half = { ...Object.fromEntries(others.map((name) => [name, 'v1.2.0'])), [first]: 'v1.1.0' };
  assert.is(await read(defined('', half)), 'v1.1.0');
  assert.is(await read(defined('v1.2.0', { [first]: undefined })), 'v1.2.0');
  const missing = memoryCluster();
  for (const name of others) define(missing, name, 'v1.1.0');
  assert.is(await read(missing), 'v1.1.0');
});

spec('kinds without a release, or that may not be read or are not answered for, are of none', async () => {
  const forbidden = answering(() => Effect.fail(new Refused({ status: 403, message: 'forbidden' })));
  const away = answering(() => Effect.fail(new Unavailable({ message: 'away' })));
  const silent = answering(() => Effect.never);
  for (const cluster of [memoryCluster(), defined('', {}), forbidden, away, silent]) {
    assert.is(await read(cluster), null);
    assert.equal(await linesOf(cluster, 'v1.2.0'), []);
  }
});

spec('a development build reads nothing', async () => {
  let reads = 0;
  const counting = { ...defined('v0.1.0'), get: () => Effect.die(`read ${++reads}`) } as ClusterShape;
  assert.is(await read(counting, 'dev'), null);
  assert.is(reads, 0);
});

spec('a start logs once that the kinds are older, and nothing where they are not', async () => {
  assert.equal(await linesOf(defined('v1.1.0'), 'v1.2.0'), [
    {
      logLevel: 'Warn',
      message: ['kinds older than the program'],
      kinds: 'v1.1.0',
      program: 'v1.2.0',
      apply: 'crds-1.2.0.yaml',
    },
  ]);
  for (const [kindsOf, program] of [
    ['v1.2.0', 'v1.2.0'],
    ['v1.3.0', 'v1.2.0'],
    ['v1.1.0', 'dev'],
  ] as const)
    assert.equal(await linesOf(defined(kindsOf), program), [], `${kindsOf} ${program}`);
});

spec.run();
