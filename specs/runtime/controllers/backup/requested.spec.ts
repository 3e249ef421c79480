import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import { annotation } from '../../../../crds/names.ts';
import { bucketListings } from '../../../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupStorages } from '../../../../runtime/controllers/cloudAccess/storage.ts';
import { backupArchives } from '../../../../runtime/services/cluster/kinds.ts';
import { Cloud, CloudFailed, type CloudShape } from '../../../../runtime/services/cloud.ts';
import { archivesIn, endJob, type LiveBackups, liveBackups, putDump } from '../../../support/backups.ts';
import { putDatabase } from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('requested looks at backup archives');

let live: LiveBackups;
spec.before.each(async () => {
  live = await liveBackups();
  await live.pass(2);
  await live.run();
  await live.pass(70);
  putDump(live.world, archive().spec.serverName, live.time.now());
  await live.edit((world) => endJob(world, 'orders-backup-first', 'Complete'));
  await live.pass(5);
  assert.is(live.state(), 'Protected');
});
spec.after.each(() => live.end());

const archive = (): CoreBackupArchive => {
  const [only] = archivesIn(live.world);
  if (!only) throw new Error('there is no archive');
  return only;
};
const points = () => archive().status?.restorePoints?.map(({ id }) => id) ?? [];
const lists = () => live.world.cloud.calls.filter((call) => call.includes('dumps/')).length;
/** Requests a look as the route does. */
const look = async () => {
  const controller = live.operator().controllers.find(({ resource }) => resource.kind === backupArchives.kind);
  if (!controller) throw new Error('nobody reconciles archives');
  await live.time.wait(Effect.runPromise(live.operator().requestPass(controller, archive().metadata.name)));
  await live.pass(1);
};

spec('a requested look lists the store of an archive however fresh the last list is', async () => {
  await look();
  const [listed, before] = [lists(), points()];
  const id = putDump(live.world, archive().spec.serverName, live.time.now());
  await live.pass(5);
  assert.equal([points(), lists()], [before, listed], 'nobody has requested it');
  await look();
  assert.ok(points().includes(id));
  assert.is(lists(), listed + 1);
  await live.pass(20);
  assert.is(lists(), listed + 1, 'a request is answered once');
});

spec('a requested look lists the store of a retired archive', async () => {
  await live.edit((world) =>
    putDatabase(world, { engine: 'SQLite', deploy: { enabled: true }, backup: { enabled: false, retentionDays: 7 } }),
  );
  await live.pass(70);
  assert.ok(archive().spec.deleteAfter, 'it is retired');
  const listed = lists();
  const id = putDump(live.world, archive().spec.serverName, live.time.now());
  await look();
  assert.ok(points().includes(id));
  assert.is(lists(), listed + 1);
});

spec('a store that fails answers a requested look too, and is not listed at every pass', async () => {
  live.world.cloud.failing = new CloudFailed({ code: 'Timeout', status: null, why: 'the cloud does not answer' });
  const { length } = live.world.cloud.calls;
  await look();
  const asked = live.world.cloud.calls.length;
  assert.ok(asked > length);
  await live.pass(20);
  assert.is(live.world.cloud.calls.length, asked);
});

spec('one look at an archive is at work at a time, and those that waited share its list', async () => {
  const running = { now: 0, most: 0, lists: 0 };
  const cloud = Context.get(live.world.services, Cloud);
  const objects: CloudShape['objects'] = (...given) =>
    Effect.gen(function* () {
      if (given[2].prefix.includes('dumps/')) running.lists++;
      running.most = Math.max(running.most, ++running.now);
      for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow;
      running.now--;
      return yield* cloud.objects(...given);
    });
  const services = Context.add(live.world.services, Cloud, { ...cloud, objects });
  const listings = bucketListings(backupStorages());
  const requested = (at: string): CoreBackupArchive => {
    const { metadata, ...others } = archive();
    return { ...others, metadata: { ...metadata, annotations: { [annotation.lookAt]: at } } };
  };
  const all = (...archives: readonly CoreBackupArchive[]) =>
    Effect.forEach(archives, (one) => listings.refresh(one, live.operator().caches), { concurrency: 'unbounded' }).pipe(
      Effect.provideContext(services),
      Effect.runPromise,
    );
  await all(requested('1'), requested('1'), requested('1'));
  assert.equal(running, { now: 0, most: 1, lists: 1 });
  await all(requested('1'), requested('2'), requested('2'));
  assert.equal(running, { now: 0, most: 1, lists: 2 });
  assert.not.ok(listings.isRequested(requested('2')));
  assert.ok(listings.isRequested(requested('3')));
});

spec.run();
