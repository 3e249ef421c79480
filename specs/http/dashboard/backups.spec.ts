import * as assert from 'uvu/assert';
import type { Read, Summary } from '../../../http/api.ts';
import { everything, type Filter } from '../../../http/dashboard/model/filter.ts';
import { addressOf, readRoute } from '../../../http/dashboard/routes.ts';
import { enginesOf, projectsOf, shownArchives } from '../../../http/dashboard/pages/backups/model.ts';
import {
  archiveWord,
  backupOf,
  keptDays,
  isDue,
  keptWord,
  nextAt,
  nextTryWord,
  purgedWord,
  purgeReason,
  archiveMessage,
  windowOf,
} from '../../../http/dashboard/model/backups.ts';
import {
  environmentGone,
  hasMoments,
  restoreBody,
  restoreMakes,
  restoreProblem,
  restoredStem,
  typedBounds,
  usualRestore,
} from '../../../http/dashboard/model/restore.ts';
import { zone } from '../../../http/dashboard/store/zone.ts';
import { suite } from '../../support/suite.ts';
import { summary } from './summary.ts';

const backups = suite('backup pages');

let zoneBefore = zone.peek();
backups.before(() => {
  zoneBefore = zone.peek();
  zone.value = 'utc';
});
backups.after(() => {
  zone.value = zoneBefore;
});

const archive = (details: object = {}, status: object = {}): Read => ({
  resource: summary('orders-a1b2', {
    kind: 'CoreBackupArchive',
    details: { database: 'orders', engine: 'Postgres', deleteAfter: '', purged: null, ...details },
  }),
  spec: { source: { engine: 'Postgres', version: '16', storageSize: '10Gi' }, retentionDays: 7 },
  status: { ...status },
});
const kept = {
  recoveryWindowStart: '2026-11-15T02:00:00.000Z',
  recoveryWindowEnd: '2026-11-21T14:00:00.000Z',
  restorePoints: [
    { id: 'b', time: '2026-11-18T08:00:00.000Z' },
    { id: 'a', time: '2026-11-15T02:00:00.000Z' },
  ],
};

backups('a restore window has its bounds and points, and is absent before the first backup', () => {
  assert.is(windowOf(archive()), null);
  const window = windowOf(archive({}, kept));
  assert.is(window?.start, kept.recoveryWindowStart);
  assert.is(window?.end, kept.recoveryWindowEnd);
  assert.equal(
    window?.points.map(({ id, at }) => [id, Math.round(at * 100)]),
    [
      ['b', 50],
      ['a', 0],
    ],
  );
  const snapshots = windowOf(archive({}, { restorePoints: [{ id: 'only', time: '2026-11-15T02:00:00.000Z' }] }));
  assert.equal(snapshots?.points, [{ id: 'only', time: '2026-11-15T02:00:00.000Z', at: 1 }]);
});

backups('BAK-090 the restore dialog asks for an environment when that of the original was deleted', () => {
  const window = windowOf(archive({}, kept));
  assert.ok(window);
  const gone = usualRestore(archive(), { environments: ['staging'], taken: [], window });
  assert.is(gone.environment, '');
  assert.is(restoreProblem(gone, window), 'Choose the environment of the new database.');
  const there = usualRestore(archive(), { environments: ['production', 'staging'], taken: [], window });
  assert.is(there.environment, 'production');
  assert.equal(
    [['staging'], ['production']].map((left) => environmentGone(archive(), left)),
    ['The environment production is gone.', ''],
  );
  assert.is(restoreProblem(there, window), null);
});

backups('BAK-088 a restore request contains a point, a moment or neither, and never both', () => {
  const window = windowOf(archive({}, kept));
  assert.ok(window);
  const usual = usualRestore(archive(), { environments: ['production'], taken: [], window });
  const chosen = { ...usual, name: '' };
  const base = { archive: 'orders-a1b2', project: 'shop', environment: 'production' };
  assert.equal(restoreBody(archive(), chosen), base);
  const point = { ...chosen, from: 'point', point: 'a', moment: '2026-11-18T08:00' } as const;
  assert.equal(restoreBody(archive(), { ...point, name: 'again' }), { ...base, name: 'again', restorePoint: 'a' });
  assert.is(restoreProblem({ ...point, point: '' }, window), 'Choose a restore point.');
  const moment = { ...chosen, from: 'moment', moment: '2026-11-18T08:00' } as const;
  assert.equal(restoreBody(archive(), moment), { ...base, time: '2026-11-18T08:00:00Z' });
  assert.is(restoreProblem(moment, window), null);
  assert.is(restoreProblem({ ...moment, moment: '' }, window), 'Type a day and a time.');
  assert.is(
    restoreProblem({ ...moment, moment: '2026-11-22T00:00' }, window),
    'Choose a moment from 2026-11-15 02:00:00 to 2026-11-21 14:00:00.',
  );
  const close = { ...window, start: '2026-11-24T02:48:25.100Z', end: '2026-11-24T02:48:27.900Z' };
  assert.equal(typedBounds(close), { min: '2026-11-24T02:48:26', max: '2026-11-24T02:48:27' });
  const second = { ...moment, moment: '2026-11-24T02:48:26' };
  assert.is(restoreProblem(second, close), null);
  assert.is(restoreBody(archive(), second).time, '2026-11-24T02:48:26Z');
  assert.ok(restoreProblem({ ...moment, moment: '2026-11-24T02:48' }, close));
});

backups('BAK-088 the restore form defaults to a free name, the newest point and the last moment', () => {
  const window = windowOf(archive({}, kept));
  assert.ok(window);
  const given = (taken: readonly string[]) => usualRestore(archive(), { environments: ['production'], taken, window });
  assert.equal(given([]), {
    environment: 'production',
    name: 'orders-restored',
    from: 'newest',
    point: 'b',
    moment: '2026-11-21T14:00:00',
  });
  assert.is(given(['orders-restored', 'orders-restored-2']).name, 'orders-restored-3');
  for (const from of ['newest', 'point', 'moment'] as const)
    assert.is(restoreProblem({ ...given([]), from }, window), null, from);
});

backups('every default name of a restored database contains the text searched for on the server', () => {
  const window = windowOf(archive({}, kept));
  assert.ok(window);
  for (const database of ['orders', 'o'.repeat(45), 'o'.repeat(63)]) {
    const of = archive({ database });
    const taken: string[] = [];
    for (let number = 1; number <= 12; number++)
      taken.push(usualRestore(of, { environments: ['production'], taken, window }).name);
    assert.ok(
      taken.every((name) => name.includes(restoredStem(of))),
      `${restoredStem(of)}: ${taken.join()}`,
    );
  }
  assert.is(restoredStem(archive()), 'orders-restored');
});

backups('only Postgres offers moments between restore points', () => {
  assert.ok(hasMoments(archive()));
  assert.not.ok(hasMoments(archive({ engine: 'MySQL' })));
});

backups('BAK-022 the restore dialog states what is created and that the original is unchanged', () => {
  assert.is(
    restoreMakes(archive()),
    'Makes a new Postgres 16 with 10Gi of storage, with backups, beside orders, which is not touched.',
  );
  assert.is(
    restoreMakes(archive({ deleteAfter: '2026-11-28T02:11:00Z' })),
    'Makes a new Postgres 16 with 10Gi of storage, with backups, from the backups of orders.',
  );
});

backups('an archive shows how long it is kept and why a due one still exists', () => {
  const until = archive({ deleteAfter: '2026-11-28T02:11:00Z' }).resource;
  assert.equal([isDue(archive().resource, Date.parse('2099-01-01T00:00:00Z')), isDue(until, 0)], [false, false]);
  assert.ok(isDue(until, Date.parse('2026-11-28T02:11:00Z')));
  assert.is(keptWord(archive().resource, false), 'while the database is protected by it');
  assert.equal([keptWord(until, false), keptWord(until, true)], ['until 2026-11-28 02:11', 'past 2026-11-28 02:11']);
  assert.equal(['ready', 'deleting', 'failed'].map(archiveWord), ['In use', 'Kept for now', 'Not removed']);
  assert.is(purgedWord(archive().resource), '');
  assert.equal(
    [{}, { purged: { reason: 'PurgeFailed' } }].map((details) => purgeReason(archive(details).resource)),
    ['', 'PurgeFailed'],
  );
  assert.is(
    purgedWord(archive({ purged: { status: 'False', message: 'The bucket is away' } }).resource),
    'The bucket is away',
  );
  const failed = { ...archive({ purged: { message: 'The bucket is away' } }).resource, state: 'failed' } as const;
  assert.equal([archiveMessage(failed, true, 'w'), nextTryWord(failed)], ['The bucket is away', 'Next try']);
  assert.is(
    archiveMessage(until, false, 'the backups can be restored until deleteAfter'),
    'Kept until 2026-11-28 02:11',
  );
  assert.is(archiveMessage(until, true, 'kept while its database exists'), 'Kept while its database exists');
  assert.is(archiveMessage(until, true, ''), 'Kept past 2026-11-28 02:11');
  assert.equal(
    [archiveMessage(archive().resource, false, ''), nextTryWord(archive().resource)],
    ['Kept while the database is protected by it', 'Next check'],
  );
});

backups('a database shows its backup state, and none when backups are off', () => {
  assert.is(backupOf(summary('orders', { details: { backup: null } })), null);
  assert.equal(backupOf(summary('orders', { details: { backup: { state: 'AtRisk', message: 'm', archive: 'a' } } })), {
    state: 'AtRisk',
    message: 'm',
    archive: 'a',
    lastBackupTime: '',
    dailyAt: '',
  });
});

backups('BAK-010 the next backup is shown as its next daily time in UTC, beside the retention', () => {
  const at = (time: string) => nextAt('02:07', Date.parse(time));
  assert.is(at('2026-11-23T02:06:59.999Z'), '2026-11-23T02:07:00.000Z');
  assert.is(at('2026-11-23T02:07:00Z'), '2026-11-24T02:07:00.000Z');
  assert.is(at('2026-12-31T23:59:59Z'), '2027-01-01T02:07:00.000Z');
  const days = (retentionDays?: number) => keptDays({ backup: { enabled: true, retentionDays } });
  assert.equal(
    [days(), days(1), days(366)],
    ['Backups are kept for 7 days.', 'Backups are kept for 1 day.', 'Backups are kept for 366 days.'],
  );
});

backups('backup pages have addresses', () => {
  assert.equal(readRoute(addressOf.backups(), ''), { is: 'backups' });
  assert.equal(readRoute(addressOf.backup('orders-a1b2'), ''), { is: 'namedBackup', name: 'orders-a1b2', view: '' });
});

backups('archives are filtered by state, project, engine and words', () => {
  const archives: readonly Summary[] = [
    archive().resource,
    {
      ...archive({ database: 'files', engine: 'SQLite' }).resource,
      name: 'files-1',
      project: 'blog',
      state: 'deleting',
    },
    { ...archive({ database: 'old', engine: '' }).resource, name: 'old-1', displayName: 'Old one', state: 'failed' },
  ];
  const found = (changes: Partial<Filter>) =>
    shownArchives(archives, { ...everything, ...changes }, (name) => `The ${name}`).map(({ name }) => name);
  assert.equal(found({}), ['orders-a1b2', 'files-1', 'old-1']);
  assert.equal(found({ states: ['deleting', 'failed'] }), ['files-1', 'old-1']);
  assert.equal(found({ own: { project: 'blog' } }), ['files-1']);
  assert.equal(found({ own: { engine: 'Postgres' } }), ['orders-a1b2'], 'one whose engine is hidden is of none');
  assert.equal(found({ text: 'the shop' }), ['orders-a1b2', 'old-1']);
  assert.equal(found({ text: 'OLD one' }), ['old-1']);
  assert.equal(found({ text: 'kept for now' }), ['files-1']);
  assert.equal(found({ text: 'nothing' }), []);
  assert.equal(projectsOf(archives), ['blog', 'shop']);
  assert.equal(enginesOf(archives), ['Postgres', 'SQLite']);
});

backups.run();
