import { Context, Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { CoreBackupArchive } from '../../../../crds/coreBackupArchive.ts';
import { annotation } from '../../../../crds/names.ts';
import { bucketListings } from '../../../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupStorages } from '../../../../runtime/controllers/cloudAccess/storage.ts';
import { backupArchives } from '../../../../runtime/services/cluster/kinds.ts';
import { Cloud, CloudFailed, type CloudShape } from '../../../../runtime/services/cloud.ts';
import { archivesIn, endJob, type BackupsSession, backupsSession, putDump } from '../../../support/backups.ts';
import { putDatabase } from '../../../support/database.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('requested reconciles of backup archives');

let session: BackupsSession;
spec.before.each(async () => {
  session = await backupsSession();
  await session.pass(2);
  await session.run();
  await session.pass(70);
  putDump(session.environment, archive().spec.serverName, session.time.now());
  await session.edit((environment) => endJob(environment, 'orders-backup-first', 'Complete'));
  await session.pass(5);
  assert.is(session.state(), 'Protected');
});
spec.after.each(() => session.end());

const archive = (): CoreBackupArchive => {
  const [only] = archivesIn(session.environment);
  if (!only) throw new Error('there is no archive');
  return only;
};
const points = () => archive().status?.restorePoints?.map(({ id }) => id) ?? [];
const lists = () => session.environment.cloud.calls.filter((call) => call.includes('dumps/')).length;
/** Requests a look as the route does. */
const look = async () => {
  const controller = session.operator().controllers.find(({ resource }) => resource.kind === backupArchives.kind);
  if (!controller) throw new Error('nobody reconciles archives');
  await session.time.wait(Effect.runPromise(session.operator().requestPass(controller, archive().metadata.name)));
  await session.pass(1);
};

spec('a requested reconcile lists the store of an archive, however recent the last list is', async () => {
  await look();
  const [listed, before] = [lists(), points()];
  const id = putDump(session.environment, archive().spec.serverName, session.time.now());
  await session.pass(5);
  assert.equal([points(), lists()], [before, listed], 'nobody has requested it');
  await look();
  assert.ok(points().includes(id));
  assert.is(lists(), listed + 1);
  await session.pass(20);
  assert.is(lists(), listed + 1, 'a request is answered once');
});

spec('a requested reconcile lists the store of a retired archive', async () => {
  await session.edit((environment) =>
    putDatabase(environment, {
      engine: 'SQLite',
      deploy: { enabled: true },
      backup: { enabled: false, retentionDays: 7 },
    }),
  );
  await session.pass(70);
  assert.ok(archive().spec.deleteAfter, 'it is retired');
  const listed = lists();
  const id = putDump(session.environment, archive().spec.serverName, session.time.now());
  await look();
  assert.ok(points().includes(id));
  assert.is(lists(), listed + 1);
});

spec('a requested reconcile is answered when the store fails, and passes do not repeat its request', async () => {
  session.environment.cloud.failing = new CloudFailed({
    code: 'Timeout',
    status: null,
    message: 'the cloud does not answer',
  });
  const { length } = session.environment.cloud.calls;
  await look();
  const asked = session.environment.cloud.calls.length;
  assert.ok(asked > length);
  await session.pass(20);
  assert.is(session.environment.cloud.calls.length, asked);
});

spec('concurrent requests for an archive are handled one at a time and share a list', async () => {
  const running = { now: 0, most: 0, lists: 0 };
  const cloud = Context.get(session.environment.services, Cloud);
  const objects: CloudShape['objects'] = (...given) =>
    Effect.gen(function* () {
      if (given[2].prefix.includes('dumps/')) running.lists++;
      running.most = Math.max(running.most, ++running.now);
      for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow;
      running.now--;
      return yield* cloud.objects(...given);
    });
  const services = Context.add(session.environment.services, Cloud, { ...cloud, objects });
  const listings = bucketListings(backupStorages());
  const requested = (at: string): CoreBackupArchive => {
    const { metadata, ...others } = archive();
    return { ...others, metadata: { ...metadata, annotations: { [annotation.lookAt]: at } } };
  };
  const all = (...archives: readonly CoreBackupArchive[]) =>
    Effect.forEach(archives, (one) => listings.refresh(one, session.operator().caches), {
      concurrency: 'unbounded',
    }).pipe(Effect.provideContext(services), Effect.runPromise);
  await all(requested('1'), requested('1'), requested('1'));
  assert.equal(running, { now: 0, most: 1, lists: 1 });
  await all(requested('1'), requested('2'), requested('2'));
  assert.equal(running, { now: 0, most: 1, lists: 2 });
  assert.not.ok(listings.isRequested(requested('2')));
  assert.ok(listings.isRequested(requested('3')));
});

spec.run();
