import * as assert from 'uvu/assert';
import type { StoredCause } from '../../../crds/cause.ts';
import type { ObjectRef } from '../../../rules/cause/cause.ts';
import { chainFrom } from '../../../rules/cause/chain.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the way to a root');

const of = (kind: string, name: string, namespace = 'core-system'): ObjectRef => ({ kind, name, namespace });
const [app, database, project] = [of('CoreApp', 'web'), of('CoreDatabase', 'db'), of('CoreProject', 'shop')];
const secret = of('Secret', 'token', 'shop');
const root = { ...secret, reason: 'SecretMissing' };
const cause = (on: ObjectRef, fields: Partial<StoredCause> = {}): StoredCause => ({
  of: 'Ready',
  reason: 'SecretMissing',
  severity: 'failure',
  message: '',
  on,
  since: '',
  ...fields,
});
const chain = (from: ObjectRef, causes: ReadonlyMap<ObjectRef, StoredCause>) => {
  const found = (at: ObjectRef) => [...causes].find(([{ kind, name }]) => kind === at.kind && name === at.name)?.[1];
  return chainFrom(from, (at) => found(at) ?? null).map(({ object, cause: its }) => [
    `${object.kind} ${object.name}`,
    its?.reason ?? null,
  ]);
};

spec('it goes from the object over what that waits for to the root, which has no cause', () => {
  const causes = new Map([
    [app, cause(database, { reason: 'DatabaseNotReady', root })],
    [database, cause(project, { reason: 'ProjectNotReady', root })],
    [project, cause(secret)],
  ]);
  assert.equal(chain(app, causes), [
    ['CoreApp web', 'DatabaseNotReady'],
    ['CoreDatabase db', 'ProjectNotReady'],
    ['CoreProject shop', 'SecretMissing'],
    ['Secret token', null],
  ]);
});

spec('an object without a cause is alone, and one that is its own cause too', () => {
  assert.equal(chain(app, new Map()), [['CoreApp web', null]]);
  assert.equal(chain(app, new Map([[app, cause(app, { reason: 'SettingRefused' })]])), [
    ['CoreApp web', 'SettingRefused'],
  ]);
});

spec('a root that the object between does not name any more is still the end', () => {
  assert.equal(chain(app, new Map([[app, cause(project, { reason: 'ProjectNotReady', root })]])), [
    ['CoreApp web', 'ProjectNotReady'],
    ['CoreProject shop', null],
    ['Secret token', null],
  ]);
});

spec('two objects that wait for each other end, and no way is longer than eight', () => {
  const causes = new Map([
    [app, cause(database)],
    [database, cause(app)],
  ]);
  assert.is(chain(app, causes).length, 2);
  const many = Array.from({ length: 20 }, (_, index) => of('CoreApp', `app-${index}`));
  const long = new Map(many.map((one, index) => [one, cause(many[index + 1] ?? secret)] as const));
  assert.is(chain(of('CoreApp', 'app-0'), long).length, 8);
});

spec.run();
