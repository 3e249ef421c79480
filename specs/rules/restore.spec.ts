import * as assert from 'uvu/assert';
import { chosenIn, chosenOf, chosenText } from '../../rules/restore/choice.ts';
import { restoreRefusal, type RestoreSeen } from '../../rules/restore/refusals.ts';
import { suite } from '../support/suite.ts';

const spec = suite('rules of restores');
const noon = Date.UTC(2026, 0, 10, 12);

const point = { id: '20260101T020000Z', time: '2026-01-01T02:00:00.000Z' };
const seen: RestoreSeen = {
  wanted: { project: 'shop', engine: 'Postgres', version: '16', databaseName: 'orders', storageSize: '10Gi' },
  archive: {
    spec: {
      project: 'shop',
      source: { engine: 'Postgres', version: '16', databaseName: 'orders', storageSize: '10Gi' },
    },
    status: {
      restorePoints: [point],
      recoveryWindowStart: '2026-01-01T02:00:00.000Z',
      recoveryWindowEnd: '2026-01-02T02:00:00.000Z',
    },
  },
  storage: '',
  now: noon,
};
const archived = (spec: object, status: object = {}): RestoreSeen => ({
  ...seen,
  archive: {
    spec: { ...seen.archive?.spec, project: 'shop', ...spec },
    status: { ...seen.archive?.status, ...status },
  },
});
const wanted = (of: Partial<RestoreSeen['wanted']>, from: RestoreSeen = seen): RestoreSeen => ({
  ...from,
  wanted: { ...from.wanted, ...of },
});
const why = (of: RestoreSeen) => restoreRefusal(of)?.why ?? null;
const dumps = archived({ source: { engine: 'MySQL', databaseName: 'orders', storageSize: '10Gi' } });

/** Each refusal by itself, in the order of the documents. */
const refused: readonly (readonly [string, RestoreSeen, string])[] = [
  ['BAK-091', { ...seen, archive: null }, 'These backups are no longer available'],
  ['BAK-091', archived({ deleteAfter: '2026-01-09T00:00:00Z' }), 'These backups are no longer available'],
  ['BAK-092', wanted({ project: 'other' }), 'Backups from another project cannot be restored here'],
  ['BAK-093', wanted({ engine: 'MySQL' }), 'A restored database must use the same engine as the original (Postgres)'],
  ['BAK-094', wanted({ version: '15' }), 'A restored database must use Postgres version 16, the version of the backup'],
  ['BAK-095', wanted({ databaseName: 'x' }), 'A restored database must keep the database name orders'],
  [
    'BAK-096',
    wanted({ storageSize: '10G' }),
    'A restored database needs at least 10Gi of storage, the size of the original',
  ],
  ['BAK-097', archived({}, { restorePoints: [] }), 'These backups have no restore points yet'],
  ['BAK-098', wanted({ restorePoint: 'x' }), 'The chosen restore point is not available'],
  [
    'BAK-099',
    wanted({ time: '2026-01-01T01:59:59Z' }),
    'The chosen time is earlier than the oldest restore point, 2026-01-01T02:00:00.000Z',
  ],
  [
    'BAK-100',
    wanted({ time: '2026-01-02T02:00:01Z' }),
    'The chosen time is later than the newest recoverable moment, 2026-01-02T02:00:00.000Z',
  ],
  [
    'BAK-101',
    wanted({ engine: 'MySQL', time: '2026-01-01T12:00:00Z' }, dumps),
    'This database can only be restored to a restore point',
  ],
  [
    'BAK-102',
    wanted({ restorePoint: point.id, time: '2026-01-01T12:00:00Z' }),
    'Choose either a restore point or a time, not both',
  ],
  ['BAK-103', { ...seen, storage: 'AccessDenied: no' }, 'The backup storage is not available: AccessDenied: no'],
];

spec(
  'BAK-091 BAK-092 BAK-093 BAK-094 BAK-095 BAK-096 BAK-097 BAK-098 BAK-099 BAK-100 BAK-101 BAK-102 BAK-103 each refusal of a restore has its words',
  () => {
    for (const [id, of, words] of refused) assert.is(why(of), words, id);
  },
);

spec(
  'DB-065 BAK-026 BAK-027 BAK-028 BAK-029 a restore is accepted within inclusive bounds, with sizes compared as quantities',
  () => {
    for (const of of [
      seen,
      wanted({ time: '2026-01-01T02:00:00Z' }),
      wanted({ time: '2026-01-02T02:00:00Z' }),
      wanted({ storageSize: '10240Mi', restorePoint: point.id }),
      archived({ source: { version: '16' } }),
      wanted({ engine: 'MySQL', restorePoint: point.id }, dumps),
      archived({ deleteAfter: new Date(noon + 1).toISOString() }),
    ])
      assert.is(why(of), null);
  },
);

spec('an earlier refusal takes precedence over later ones', () => {
  const all: RestoreSeen = {
    wanted: {
      project: 'other',
      engine: 'Redis',
      version: '9',
      databaseName: 'x',
      storageSize: '1',
      restorePoint: 'x',
      time: '1990-01-01T00:00:00Z',
    },
    archive: archived({}, { restorePoints: [] }).archive,
    storage: 'gone',
    now: noon,
  };
  const mended: readonly Partial<RestoreSeen['wanted']>[] = [
    {},
    { project: 'shop' },
    { engine: 'Postgres' },
    { version: '16' },
    { databaseName: 'orders' },
    { storageSize: '10Gi' },
  ];
  let at = all;
  const told = mended.map((fix) => {
    at = wanted(fix, at);
    return why(at)?.slice(0, 40);
  });
  assert.equal(
    told,
    [refused[2], refused[3], refused[4], refused[5], refused[6], refused[7]].map((row) => row?.[2].slice(0, 40)),
  );
  assert.is(why({ ...at, archive: seen.archive }), 'The chosen restore point is not available');
  const both = { restorePoint: point.id, time: '2026-01-01T12:00:00Z' };
  assert.is(
    why(wanted({ project: 'other' }, archived({ deleteAfter: '2026-01-09T00:00:00Z' }))),
    'These backups are no longer available',
  );
  assert.is(why(wanted({ ...both, engine: 'MySQL' }, dumps)), 'This database can only be restored to a restore point');
  assert.is(why({ ...wanted(both), storage: 'gone' }), 'Choose either a restore point or a time, not both');
});

spec('DB-063 the first choice of a restore is kept for its archive', () => {
  assert.equal(chosenOf({}, 'Postgres', { restorePoints: [point] }), { is: 'newest' });
  assert.equal(chosenOf({}, 'MySQL', { restorePoints: [point] }), { is: 'point', id: point.id });
  assert.is(chosenOf({}, 'MySQL', {}), null);
  const kept = chosenText('a-1', { is: 'time', time: point.time });
  assert.equal(chosenIn(kept, 'a-1'), { is: 'time', time: point.time });
  assert.is(chosenIn(kept, 'a-2'), null);
  for (const text of [undefined, '', 'null', '[]', '{"archive":"a-1"}', '{"archive":"a-1","is":"point"}'])
    assert.is(chosenIn(text, 'a-1'), null);
});

spec.run();
