import * as assert from 'uvu/assert';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import { databaseImages } from '../../../rules/database/images.ts';
import { backupArchiveController } from '../../../runtime/controllers/backupArchive/controller.ts';
import { bucketListings } from '../../../runtime/controllers/backupArchive/ask/bucketListings.ts';
import { backupStorages } from '../../../runtime/controllers/cloudAccess/storage.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { makeDeletions } from '../../../runtime/controllers/provisioned/deletion.ts';
import { makeElapsedTimes } from '../../../runtime/controllers/elapsedTimes.ts';
import { backupArchives, databases } from '../../../runtime/services/cluster/kinds.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';
import { archivesIn, putConnection, putStorage } from '../../support/backups.ts';
import { databaseName, putDatabase, putDatabaseEnvironment } from '../../support/database.ts';
import { startSession } from '../../support/session.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('elapsed times over a clock that is set');
const hour = 3_600_000;
const row = { name: 'files', id: 'row-1', writtenMs: 1_000_000 };

spec('KND-062 the start of an elapsed time moves with a clock that is set afterwards', () => {
  const { by } = makeElapsedTimes();
  assert.is(by(row, { now: 1_000_000, monotonic: 50 }), 1_000_000);
  assert.is(by(row, { now: 1_000_010 + hour, monotonic: 60 }), 1_000_000 + hour);
  assert.is(by({ ...row, id: 'row-2' }, { now: 1_000_020, monotonic: 70 }), 1_000_000, 'another moment counts anew');
});

spec('KND-062 a row is no older than the last pass without a row, however the clock was set', () => {
  const { by, none } = makeElapsedTimes();
  none('files', { monotonic: 40 });
  assert.is(by(row, { now: 1_000_010 + hour, monotonic: 60 }), 1_000_010 + hour - 20);
});

spec('KND-062 an elapsed time is forgotten with its object', () => {
  const { by, none, forget } = makeElapsedTimes();
  none('files', { monotonic: 40 });
  by(row, { now: 1_000_000, monotonic: 50 });
  forget('files');
  const later = { now: 1_000_010 + hour, monotonic: 60 };
  assert.is(by(row, later), row.writtenMs, 'neither when it was seen nor the pass without it');
});

spec('KND-062 every machine forgets what it remembers of an object when the object is deleted', async () => {
  const dropped: string[] = [];
  const looks = bucketListings(backupStorages());
  const deletions = makeDeletions();
  const watched = (controller: Controller): Controller => ({
    ...controller,
    lifecycles: controller.lifecycles.map(({ forget, ...one }) => ({
      ...one,
      forget: (name) => {
        if (forget) dropped.push(`${one.name} ${name}`);
        forget?.(name);
      },
    })),
  });
  const session = await startSession<CoreDatabase>({
    resource: databases,
    name: databaseName,
    controllers: [databaseController(databaseImages, looks, deletions), backupArchiveController(looks, deletions)].map(
      watched,
    ),
    prepare: (environment) => {
      putDatabaseEnvironment(environment);
      putConnection(environment);
      putStorage(environment);
      putDatabase(environment, {
        engine: 'SQLite',
        deploy: { enabled: true },
        backup: { enabled: true, retentionDays: 7 },
      });
    },
  });
  await session.pass(5);
  const [archive] = archivesIn(session.environment);
  const name = archive?.metadata.name ?? '';
  assert.ok(archive !== undefined && looks.of(archive) !== null && dropped.length === 0);
  await session.edit(({ cluster }) => {
    cluster.drop(backupArchives, name);
    cluster.drop(databases, databaseName);
  });
  await session.pass(5);
  assert.equal(dropped.toSorted(), [
    `backupArchive ${name}`,
    `database ${databaseName}`,
    `provisionRetry ${databaseName}`,
  ]);
  assert.is(looks.of(archive), null);
  await session.end();
});

spec.run();
