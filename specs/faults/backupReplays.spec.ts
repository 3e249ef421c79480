import * as assert from 'uvu/assert';
import { isChosen } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { readPlan } from './plan/plan.ts';
import { backupArchiveSubject } from './subjects/backupArchive.ts';
import { cloudConnectionSubject } from './subjects/cloudConnection.ts';
import { databaseBackupSubject } from './subjects/databaseBackup.ts';
import { objectStoreSubject } from './subjects/objectStore.ts';
import { verify } from './verify.ts';

const replays = suite('faults: plans of backups and clouds that once failed');
const subjects = [backupArchiveSubject, databaseBackupSubject, cloudConnectionSubject, objectStoreSubject];

const plans: readonly (readonly [what: string, plan: string])[] = [
  [
    'BAK-113b: an archive whose first pass comes after the deletion began',
    'databaseBackup / the connection goes during the last dump / timeOut at=40 on=read',
  ],
  [
    'BAK-079: storage is asked again with keys that were replaced',
    'cloudConnection / backup storage is refused, then made / hand does=the_keys_are_replaced_by_wrong_ones in=Refused_StorageWorks / dies at=24 when=after',
  ],
  [
    'KND-062: a clock set ahead ends no row of failures',
    'objectStore / the cloud refuses, then allows it / jumps at=13 ms=337500',
  ],
  [
    'a Secret of an earlier database of that name is gone, and the cache does not know',
    'databaseBackup / another database of its name is made once it is gone / deafWatch at=41',
  ],
  [
    'DB-222: a database that has backups is backed up once more, although nobody wrote that it is Ready',
    'databaseBackup / Postgres is deleted / lags of=clusters / dies at=31 when=after',
  ],
  [
    'BAK-120c: a folder in use is not purged over an old list of the archives',
    'backupArchive / another archive uses the folder / staleList at=26 changes=3',
  ],
  [
    'BAK-056: the last points of an archive are listed although the cloud fails three times in a row',
    'databaseBackup / a last dump of an earlier database stands / cloud does=loseAnswer at=12 for=3',
  ],
  [
    'two leaders of which one died end with what the later of them found out about the cloud',
    'cloudConnection / the cloud is silent, then answers / twins / dies at=3 when=after',
  ],
  [
    'DB-223a: what takes backups of a Postgres server goes with it at once',
    'databaseBackup / backups of Postgres are turned off / hand does=it_is_deleted in=Ready',
  ],
  [
    'the root keys of a server that a leader wrote late go with it, so that another one of its name can be made',
    'objectStore / a server runs, and goes / standBy / stands at=7 when=before ms=240000',
  ],
];

for (const [what, text] of plans.filter((_, at) => isChosen(at, 2)))
  replays(what, async () => {
    const plan = readPlan(text, subjects);
    if (typeof plan === 'string') throw new Error(plan);
    assert.equal((await verify(plan)).wrong, []);
  });

replays.run();
