import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Clock, Context, Effect } from 'effect';
import { coreBackupArchive, type CoreBackupArchive } from '../../crds/coreBackupArchive.ts';
import { coreDatabase, type CoreDatabase } from '../../crds/coreDatabase.ts';
import { withDefaults } from '../../crds/defaults.ts';
import { typeMeta } from '../../crds/kind.ts';
import { pointId } from '../../rules/backup/points.ts';
import { archiveLabels } from '../../rules/backupArchive/archive.ts';
import { backupArchiveController } from '../../runtime/controllers/backupArchive/controller.ts';
import { basesIn, dumpsIn, type Folder } from '../../runtime/controllers/backupArchive/ask/folders.ts';
import { bucketListings } from '../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { purgeFor } from '../../runtime/controllers/backupArchive/actions/purge.ts';
import { backupStorages } from '../../runtime/controllers/cloudAccess/storage.ts';
import { backupArchives, databases, everyKind } from '../../runtime/services/cluster/kinds.ts';
import { Cloud, type CloudShape } from '../../runtime/services/cloud.ts';
import { Cluster } from '../../runtime/services/cluster/cluster.ts';
import { bucket, putConnection, putStorage } from '../support/backups.ts';
import { putDatabaseEnvironment } from '../support/database.ts';
import { accountOf, memoryCloud, rootKey } from '../support/memory/cloud.ts';
import { inSystem } from '../support/project.ts';
import { virtualTime } from '../support/virtualTime.ts';
import { makeTestEnvironment, type TestEnvironment } from '../support/environment.ts';
import { counted } from './counted.ts';
import { letPass } from './idling.ts';
import { type Line, times } from './line.ts';
import { median } from './measure.ts';

const dayMs = 86_400_000;
const folder: Folder = { account: accountOf(), bucket, prefix: 'shop/orders-1/' };

const versionsOfEach = 1_000;

/** A bucket whose folder has so many versions, a thousand of each object; a request for each would take minutes. */
function filled(count: number) {
  const memory = memoryCloud(() => 0);
  const { model } = memory;
  model.makeBucket(model.keyOf(rootKey.accessKeyId), bucket, 'eu-west-1');
  model.setVersioning(model.keyOf(rootKey.accessKeyId), bucket, true);
  const version = (id: number) => ({ id: String(id), body: '', size: 1, etag: '', modified: 0, headers: {} });
  for (let at = 0; at < count / versionsOfEach; at++)
    model.state.buckets.get(bucket)?.versions.set(
      `${folder.prefix}dumps/${at}`,
      Array.from({ length: versionsOfEach }, (_, id) => version(id)),
    );
  return memory;
}

/** The same requests without looking at what they answer. */
const bareLoop = Effect.gen(function* () {
  const cloud = yield* Cloud;
  for (;;) {
    const { items } = yield* cloud.versions(folder.account, bucket, { prefix: folder.prefix, from: null });
    if (items.length === 0) break;
    yield* cloud.removeVersions(folder.account, bucket, items);
  }
  yield* cloud.uploads(folder.account, bucket, { prefix: folder.prefix, from: null });
});

/** However long it takes: what the purge leaves to its next pass is no part of the figure. */
const untimed = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.clockWith((clock) =>
    Effect.provideService(
      run,
      Clock.Clock,
      Object.assign(Object.create(clock) as Clock.Clock, { monotonicTimeNanosUnsafe: () => 0n }),
    ),
  );

type PurgeRun = Effect.Effect<unknown, unknown, Cloud>;

/** The processor's time, which other programs do not stretch. */
async function msOf(count: number, run: PurgeRun) {
  const memory = filled(count);
  const from = process.cpuUsage();
  await Effect.runPromise(Effect.provideService(untimed(run), Cloud, memory.cloud));
  return { ms: process.cpuUsage(from).user / 1_000, calls: memory.calls.length };
}

const sampledEvery = 10;

/** What is held at every tenth page, in MB. */
async function heldMb(count: number, run: PurgeRun): Promise<readonly number[]> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const { cloud } = filled(count);
  const held: number[] = [];
  let pages = 0;
  const versions: CloudShape['versions'] = (...asked) =>
    Effect.suspend(() => {
      if (pages++ % sampledEvery === 0) {
        gc();
        held.push(process.memoryUsage().heapUsed / 1e6);
      }
      return cloud.versions(...asked);
    });
  await Effect.runPromise(Effect.provideService(untimed(run), Cloud, { ...cloud, versions }));
  return held;
}

/** The most that a purge holds beyond the bare loop at the same page. */
async function beyondMb(count: number): Promise<number> {
  const bare = await heldMb(count, bareLoop);
  const ours = await heldMb(count, purgeFor(folder));
  return Math.max(...ours.map((mb, at) => mb - (bare[at] ?? 0)));
}

const mostMb = 32;

async function purges(count: number, rounds: number): Promise<readonly Line[]> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await msOf(count, bareLoop);
    const ours = await msOf(count, purgeFor(folder));
    if (ours.calls !== bare.calls) throw new Error(`${ours.calls} calls, and ${bare.calls} by the bare loop`);
    ratios.push(bare.ms / ours.ms);
  }
  const ratio = median(ratios);
  const beyond = await beyondMb(count);
  return [
    {
      what: `purge of ${count} versions, against a bare loop of the same calls`,
      figure: `${times(ratio)} (${ratios.map(times).join(', ')})`,
      budget: '≥ 0.8 ×',
      holds: ratio >= 0.8,
    },
    {
      what: 'its memory beyond that of the bare loop',
      figure: `${beyond.toFixed(1)} MB`,
      budget: `≤ ${mostMb} MB`,
      holds: beyond <= mostMb,
    },
  ];
}

const points = 365;

/** What two looks at a year of backups ask of the cloud. */
async function looks(): Promise<readonly Line[]> {
  const memory = filled(1_000);
  for (let day = 0; day < points; day++) {
    const at = Date.UTC(2026, 0, 1) + day * dayMs;
    memory.put(bucket, `${folder.prefix}dumps/${pointId(at)}.sql.gz`, 'x');
    const end = new Date(at).toISOString().replace('T', ' ').replace('Z', '+00:00');
    memory.put(bucket, `${folder.prefix}base/${pointId(at)}/backup.info`, `status=DONE\nend_time=${end}\n`);
  }
  const asked = async (look: Effect.Effect<readonly object[], unknown, Cloud>) => {
    const before = memory.calls.length;
    const found = await Effect.runPromise(Effect.provideService(look, Cloud, memory.cloud));
    if (found.length !== points) throw new Error(`${found.length} points, not ${points}`);
    const calls = memory.calls.slice(before);
    const lists = calls.filter((call) => call.startsWith('objects')).length;
    return { lists, reads: calls.length - lists };
  };
  const ends = new Map<string, number>();
  const dumps = await asked(dumpsIn(folder));
  const [first, second] = [await asked(basesIn(folder, ends)), await asked(basesIn(folder, ends))];
  const said = ({ lists, reads }: typeof dumps) => `${lists} list, ${reads} reads`;
  return [
    {
      what: `a look at ${points} dumps; at ${points} base backups, and at them again`,
      figure: [dumps, first, second].map(said).join('; '),
      budget: '1 list each, each read once',
      holds:
        [dumps, first, second].every(({ lists }) => lists === 1) &&
        [dumps.reads, first.reads, second.reads].join() === `0,${points},0`,
    },
  ];
}

/** Half are of SQLite, half of Postgres, whose log is saved; each has a database that nobody reconciles. */
function fill(environment: TestEnvironment, count: number): void {
  putDatabaseEnvironment(environment);
  putConnection(environment);
  putStorage(environment);
  for (let number = 0; number < count; number++) {
    const [name, uid] = [`orders-${number}`, `u${String(number).padStart(7, '0')}`];
    const engine = number % 2 === 0 ? 'SQLite' : 'Postgres';
    const of = { project: 'shop', environment: 'production' };
    const backup = { enabled: true, retentionDays: 7 };
    environment.cluster.put<CoreDatabase>(databases, {
      ...typeMeta(coreDatabase),
      metadata: { ...inSystem(name), uid },
      spec: withDefaults(coreDatabase.spec, { ...of, engine, backup, deploy: { enabled: true } }),
    });
    environment.cluster.put<CoreBackupArchive>(backupArchives, {
      ...typeMeta(coreBackupArchive),
      metadata: { ...inSystem(`${name}-${uid}`), labels: archiveLabels({ ...of, database: name }) },
      spec: {
        ...of,
        database: name,
        databaseUID: uid,
        serverName: `${name}-${uid}`,
        storage: { connectionRef: { name: 'aws' }, bucket, region: 'eu-west-1' },
        retentionDays: 7,
        source: { engine },
      },
    });
  }
}

async function idle(count: number): Promise<Line> {
  const time = virtualTime(undefined, undefined, Number.POSITIVE_INFINITY);
  const controllers = [backupArchiveController(bucketListings(backupStorages()))];
  const environment = makeTestEnvironment({ now: time.wall, controllers, alsoSeen: everyKind });
  const { cluster, writes } = counted(environment.cluster);
  fill(environment, count);
  const services = environment.services.pipe(Context.add(Cluster, cluster));
  const { stop } = await time.wait(environment.start(undefined, time.over(services)));
  await letPass(time, 60_000);
  for (const { spec, metadata } of environment.cluster.all(backupArchives)) {
    const at = time.wall();
    const end = new Date(at).toISOString().replace('T', ' ').replace('Z', '+00:00');
    const [name, text] =
      spec.source?.engine === 'Postgres'
        ? [`base/${pointId(at)}/backup.info`, `status=DONE\nend_time=${end}\n`]
        : [`dumps/${pointId(at)}.sql.gz`, 'rows'];
    environment.cloud.put(bucket, `shop/${metadata.name}/${name}`, text);
  }
  await letPass(time, 1_200_000);
  const listed = environment.cluster
    .all(backupArchives)
    .filter(({ status }) => status?.restorePoints?.length === 1).length;
  const before = writes.length;
  await letPass(time, 600_000);
  const made = writes.slice(before);
  await time.wait(stop());
  const each = made.length / (count / 2);
  return {
    what: `${count} archives in ten idle minutes, half of them of Postgres, whose window moves: writes of each of those`,
    figure: `${each.toFixed(2)} (${made.length} in all, ${listed} archives with a point)`,
    budget: '2, and none of the others',
    holds: listed === count && made.length === count,
  };
}

/** What the backups of many databases cost. */
export async function backups(versions: number, archives: number): Promise<readonly Line[]> {
  return [...(await purges(versions, 3)), ...(await looks()), await idle(archives)];
}
