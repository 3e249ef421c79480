import { Context, Effect } from 'effect';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { folderPrefix, isOwnFolder } from '../../../../rules/backup/folder.ts';
import { isFilled, purgeFor } from '../../../../runtime/controllers/backupArchive/actions/purge.ts';
import { Cloud, type CloudShape } from '../../../../runtime/services/cloud.ts';
import { accountOf, memoryCloud, rootKey } from '../../../support/memory/cloud.ts';
import { suite } from '../../../support/suite.ts';

const spec = suite('the purge of a folder, over a cloud');
const bucket = 'backups';

const odd = fc.oneof(
  fc.constantFrom('a', 'a-2', 'ab', 'A', '%2F', '..', '.', 'a/', 'a b', 'a\nb', '\u0001', '\u{1F600}', '&', '<', '"'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }),
);
const segment = fc.constantFrom('a', 'a-2', 'ab', 'a.b');
const part = fc.oneof({ weight: 3, arbitrary: segment }, { weight: 1, arbitrary: odd });
/** One that stands, one that stood before it and is gone, or an upload that never ended. */
const stored = fc.record({
  project: part,
  server: part,
  name: odd,
  is: fc.constantFrom('object', 'versions', 'deleted', 'upload'),
});
type Stored = typeof stored extends fc.Arbitrary<infer S> ? S : never;

interface StoreIs {
  readonly withoutVersions: boolean;
  readonly ignoresPrefix: boolean;
}

/** A bucket with these, with pages of three entries. */
function filled(all: readonly Stored[], { withoutVersions, ignoresPrefix }: StoreIs) {
  const memory = memoryCloud(() => 0, { pageSize: 3, withoutVersions });
  const { model } = memory;
  const root = model.keyOf(rootKey.accessKeyId);
  model.makeBucket(root, bucket, 'eu-west-1');
  if (!withoutVersions) model.setVersioning(root, bucket, true);
  for (const { project, server, name, is } of all) {
    const key = `${project}/${server}/${name}`;
    if (is === 'upload') model.startUpload(root, { bucket, key }, {});
    else memory.put(bucket, key, 'rows');
    if (is === 'versions') memory.put(bucket, key, 'later');
    if (is === 'deleted') model.remove(root, { bucket, key }, null);
  }
  const held = (): readonly string[] => {
    const found = model.state.buckets.get(bucket);
    const versions = [...(found?.versions ?? [])].flatMap(([key, of]) => of.map(({ id }) => `${key} ${id}`));
    return [...versions, ...[...(found?.uploads.values() ?? [])].map(({ key, id }) => `${key} ${id}`)].toSorted();
  };
  const cloud = ignoresPrefix ? withoutPrefix(memory.cloud) : memory.cloud;
  return { held, services: Context.make(Cloud, cloud) };
}

/** A store that lists everything, whatever prefix is asked for. */
const withoutPrefix = (cloud: CloudShape): CloudShape => ({
  ...cloud,
  versions: (account, of, { from }) => cloud.versions(account, of, { prefix: '', from }),
  uploads: (account, of, { from }) => cloud.uploads(account, of, { prefix: '', from }),
});

spec('BAK-076 BAK-067 a purge empties its own folder and removes no other key', async () => {
  let emptied = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(stored, { minLength: 1, maxLength: 12 }),
      segment,
      segment,
      fc.record({ withoutVersions: fc.boolean(), ignoresPrefix: fc.boolean() }),
      async (all, project, server, store) => {
        assert.ok(isOwnFolder(project, server));
        const { held, services } = filled(all, store);
        const prefix = `${project}/${server}/`;
        const others = held().filter((one) => !one.startsWith(prefix));
        if (others.length < held().length) emptied++;
        const folder = { account: accountOf(), bucket, prefix: folderPrefix(project, server) };
        await Effect.runPromise(Effect.provide(purgeFor(folder), services));
        assert.equal(held(), others);
        assert.not.ok(await Effect.runPromise(Effect.provide(isFilled(folder), services)));
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(emptied > 0, `${emptied} folders had something in them`);
});

spec('a purge ends when a store repeats one page, and a missing store counts as empty', async () => {
  const { services } = filled([], { withoutVersions: false, ignoresPrefix: false });
  const folder = { account: accountOf(), bucket, prefix: 'a/b/' };
  const cloud = Context.get(services, Cloud);
  let asked = 0;
  const repeating: CloudShape = {
    ...cloud,
    versions: () => {
      asked++;
      return Effect.succeed({ items: [{ key: 'others/x', version: '1' }], next: 'the same' });
    },
  };
  await Effect.runPromise(Effect.provide(purgeFor(folder), Context.make(Cloud, repeating)));
  assert.is(asked, 2);
  const elsewhere = { ...folder, bucket: 'gone' };
  await Effect.runPromise(Effect.provide(purgeFor(elsewhere), services));
  assert.not.ok(await Effect.runPromise(Effect.provide(isFilled(elsewhere), services)));
});

spec.run();
