import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { nameOf, type Watching } from '../../../runtime/contract/controller.ts';
import { isSameJson } from '../../../rules/sameJson.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('objects woken by the causes of others');

const kinds = ['CoreApp', 'CoreBuild', 'CoreProject', 'CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore'];

const missing: StoredCause = {
  of: 'Ready',
  reason: 'SecretMissing',
  severity: 'failure',
  message: 'Secret "token" is missing',
  on: { kind: 'Secret', name: 'token', namespace: 'core-system' },
  since: '2026-01-01T12:00:00.000Z',
};
const told: StoredCause = {
  ...missing,
  message: 'Secret "token" is still missing',
  count: 7,
  lastAt: '2026-01-01T12:07:00.000Z',
  exitCode: 3,
  logLine: 'ERROR no token',
};
const other: StoredCause = { ...missing, on: { ...missing.on, name: 'key' } };

const objectWith = (kind: string, cause: StoredCause): KubeObject =>
  ({
    kind,
    metadata: { name: 'shop', uid: 'one', resourceVersion: '7' },
    spec: { project: 'shop', environment: 'live', environments: [], source: {}, deploy: { enabled: true } },
    status: { conditions: [], causes: [cause] },
  }) as KubeObject;

/** The watches on kinds that have causes, by controller and kind. */
const { controllers } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});
const watches = controllers.flatMap((controller) =>
  controller.watches
    .filter(({ resource }) => kinds.includes(resource.kind))
    .map((watch) => ({ name: `${nameOf(controller)} ← ${watch.resource.kind}`, watch })),
);

const isSameTo = (watch: Watching, one: StoredCause, next: StoredCause): boolean =>
  isSameJson(watch.reads(objectWith(watch.resource.kind, one)), watch.reads(objectWith(watch.resource.kind, next)));

const wokenBy = (next: StoredCause) =>
  watches.filter(({ watch }) => !isSameTo(watch, missing, next)).map(({ name }) => name);

spec('another count, time or log line of a cause triggers no pass', () => {
  assert.ok(watches.length > 10);
  assert.equal(wokenBy({ ...told, message: missing.message }), []);
});

spec('another message of a cause triggers a pass of the service that repeats that of its build, and no other', () => {
  assert.equal(wokenBy(told), ['CoreApp ← CoreBuild']);
});

/** Who waits for whom, down the ranks of the kinds. */
const waits = [
  'CoreApp ← CoreProject',
  'CoreApp ← CoreBuild',
  'CoreApp ← CoreDatabase',
  'CoreApp ← CoreLogicalDatabase',
  'CoreApp ← CoreObjectStore',
  'CoreDatabase ← CoreProject',
  'CoreLogicalDatabase ← CoreProject',
  'CoreLogicalDatabase ← CoreDatabase',
  'CoreObjectStore ← CoreProject',
];

spec('another worst cause, or another root of it, wakes what waits for its object', () => {
  for (const wait of waits) {
    const found = watches.filter(({ name }) => name === wait);
    assert.ok(found.length > 0, wait);
    assert.ok(
      found.some(({ watch }) => !isSameTo(watch, missing, other)),
      wait,
    );
    const root = { kind: 'Secret', name: 'key', namespace: 'core-system', reason: 'SecretMissing' };
    assert.ok(
      found.some(({ watch }) => !isSameTo(watch, missing, { ...missing, root })),
      wait,
    );
  }
});

spec.run();
