import { compare } from 'bcryptjs';
import { Context, Effect, Logger } from 'effect';
import * as assert from 'uvu/assert';
import { makeAccounts } from '../../http/auth/accounts.ts';
import { authSecret, directoryOf, encode, sessionKeyName } from '../../http/auth/directory.ts';
import { epochSecret, epochsIn } from '../../http/auth/epochs.ts';
import { tokenData, type TokenRecord, tokenSecret, tokensOf } from '../../http/auth/tokens/records.ts';
import { firstAdminController } from '../../http/auth/firstAdmin.ts';
import { seedAdmin } from '../../http/auth/seed.ts';
import { hashOf } from '../../http/auth/tokens/text.ts';
import type { Controller } from '../../runtime/contract/controller.ts';
import { systemNamespace } from '../../crds/names.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { Unavailable, Cluster, type ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { type Started, startOperator } from '../../runtime/start.ts';
import { suite } from '../support/suite.ts';
import { makeTestEnvironment, until, type TestEnvironment } from '../support/environment.ts';
import { passwordHash, quickHasher, sessionKey } from './served.ts';

const spec = suite('leadership over users and tokens');

const putSecret = ({ cluster }: TestEnvironment, name: string, data: Readonly<Record<string, string>>) =>
  cluster.put(secrets, { metadata: { name, namespace: systemNamespace }, data });
const stored = ({ cluster }: TestEnvironment, name: string) =>
  cluster.all(secrets).find(({ metadata }) => metadata.name === name);
const entry = (user: object) => encode(JSON.stringify(user));

const tokenOf = (project: string, projectUid: string | null, id: string): TokenRecord => ({
  id,
  name: `ci of ${project}`,
  role: 'admin',
  scope: { project, environment: 'production' },
  projectUid,
  hash: hashOf(id),
  createdAt: 0,
  createdBy: 'admin',
  expiresAt: null,
  lastUsedAt: null,
});
const putTokens = (world: TestEnvironment, ...records: readonly TokenRecord[]) =>
  putSecret(world, tokenSecret, Object.assign({}, ...records.map(tokenData)) as Readonly<Record<string, string>>);
const putProject = ({ cluster }: TestEnvironment, name: string, uid: string) =>
  cluster.put(projects, {
    metadata: { name, uid, namespace: systemNamespace },
    spec: { environments: ['production'] },
  } as never);
const tokensIn = (world: TestEnvironment) => [...tokensOf(stored(world, tokenSecret)).keys()].toSorted();

interface Process extends Started {
  readonly said: readonly string[];
  readonly end: () => Promise<void>;
}

/** A leading process; `cluster` wraps its access to the API. */
async function lead(
  world: TestEnvironment,
  cluster: (inner: ClusterShape) => ClusterShape = (inner) => inner,
  others: readonly Controller[] = [],
): Promise<Process> {
  const said: string[] = [];
  const accounts = makeAccounts({ log: (_, message) => void said.push(message), hasher: quickHasher() });
  const services = Context.add(world.services, Cluster, cluster(world.cluster));
  const options = { controllers: [...accounts.controllers, ...others], alsoSeen: [projects], workers: 2 };
  const started = await startOperator(services, options, { logger: Logger.layer([]) });
  return {
    ...started,
    said,
    end: async () => {
      await started.crash();
      await accounts.hasher.stop();
    },
  };
}

/** Passes every write to `write`, in order. */
const throughWrites =
  (write: <A, E>(done: Effect.Effect<A, E>) => Effect.Effect<A, E>) =>
  (inner: ClusterShape): ClusterShape => ({
    ...inner,
    create: (...given) => write(inner.create(...given)),
    patch: (...given) => write(inner.patch(...given)),
  });

const isDone = (world: TestEnvironment) => {
  const { users, sessionKey: key } = directoryOf(stored(world, authSecret));
  const user = users.get('plain');
  const kept = epochsIn(stored(world, epochSecret)).names.get('plain');
  const isSafe = user?.password.startsWith('$2') === true && user.epoch !== null && user.epoch === kept?.epoch;
  return key !== null && isSafe && tokensIn(world).join() === 'bbbbbbbbbb';
};

/**
 * The state after an external change and a deletion while nobody led: a plain password, no key, a token of no project.
 */
function neglected(): TestEnvironment {
  const world = makeTestEnvironment();
  putSecret(world, authSecret, {
    'user.plain': entry({ role: 'viewer', password: 'by hand', team: 'web' }),
    'user.admin': entry({ role: 'admin', password: passwordHash, epoch: 3 }),
  });
  putProject(world, 'blog', 'of-blog');
  putTokens(world, tokenOf('demo', 'of-demo', 'aaaaaaaaaa'), tokenOf('blog', 'of-blog', 'bbbbbbbbbb'));
  return world;
}

async function assertAsDemanded(world: TestEnvironment): Promise<void> {
  const { users } = directoryOf(stored(world, authSecret));
  assert.ok(await compare('by hand', users.get('plain')?.password ?? ''));
  const texts = world.cluster.all(secrets).flatMap(({ data }) => Object.values(data ?? {}));
  for (const text of texts) assert.not.match(Buffer.from(text, 'base64').toString(), 'by hand');
  assert.match(Buffer.from(stored(world, authSecret)?.data?.['user.plain'] ?? '', 'base64').toString(), '"team":"web"');
  assert.equal(users.get('admin'), { role: 'admin', password: passwordHash, epoch: 3 });
}

spec('AUT-003 AUT-011 AUT-096 the next leader repairs leftovers and then writes nothing', async () => {
  const world = neglected();
  const first = await lead(world);
  await until(() => isDone(world), 'it is put right');
  await assertAsDemanded(world);
  await first.end();
  const changes = world.cluster.changesOf('secrets');
  const passes = world.metrics.passes();
  const second = await lead(world);
  await until(() => world.metrics.passes() >= passes + 2, 'both Secrets are reconciled');
  await second.operator.drain.pipe(Effect.runPromise);
  assert.is(world.cluster.changesOf('secrets'), changes);
  await second.end();
});

for (const when of ['before', 'after'] as const)
  spec(
    `AUT-003 AUT-096 a leader that dies ${when} any of its writes leaves nothing that the next one does not do`,
    async () => {
      let writes = 0;
      for (let dies = 1; ; dies++) {
        const world = neglected();
        let isDead = false;
        writes = 0;
        const first = await lead(
          world,
          throughWrites((done) =>
            Effect.suspend(() => {
              if (isDead) return Effect.never;
              isDead = ++writes === dies;
              return isDead ? Effect.andThen(when === 'after' ? done : Effect.void, Effect.never) : done;
            }),
          ),
        );
        await until(() => isDead || isDone(world), 'it dies, or has nothing left to do');
        await first.end();
        const next = await lead(world);
        await until(() => isDone(world), `it is put right after write ${dies}`);
        await assertAsDemanded(world);
        await next.end();
        if (!isDead) break;
      }
      assert.ok(writes >= 4, 'the key, the epochs, the entry, the tokens');
    },
  );

spec('AUT-096 a token is revoked only by a direct read, not by a late cache or a silent API', async () => {
  const world = makeTestEnvironment();
  putSecret(world, authSecret, { [sessionKeyName]: sessionKey.toString('base64') });
  let isSilent = true;
  const leader = await lead(world, (inner) => ({
    ...inner,
    get: (resource, name) =>
      isSilent && name.name === 'silent'
        ? Effect.fail(new Unavailable({ message: 'silence' }))
        : inner.get(resource, name),
  }));
  await Effect.runPromise(leader.operator.ready);
  world.cluster.lag(projects, true);
  putProject(world, 'late', 'of-late');
  putTokens(
    world,
    tokenOf('silent', 'of-silent', 'aaaaaaaaaa'),
    tokenOf('late', 'of-late', 'bbbbbbbbbb'),
    tokenOf('late', 'of-another', 'cccccccccc'),
    tokenOf('gone', null, 'dddddddddd'),
  );
  await until(() => tokensIn(world).length === 2, 'the tokens of the deleted objects are revoked');
  assert.equal(tokensIn(world), ['aaaaaaaaaa', 'bbbbbbbbbb']);
  assert.equal(leader.said, ['revoked API token', 'revoked API token']);
  isSilent = false;
  await until(() => tokensIn(world).join() === 'bbbbbbbbbb', 'the other token is revoked when the API answers');
  world.cluster.lag(projects, false);
  await until(() => leader.operator.caches.get(projects, 'late'), 'the project is cached');
  world.cluster.drop(projects, 'late');
  await until(() => tokensIn(world).length === 0, 'and with its project');
  await leader.end();
});

spec('AUT-003 one session key and one hash are created when two processes believe that they lead', async () => {
  const world = neglected();
  const hashes = new Set<string>();
  const keys = new Set<string>();
  world.cluster.onChange((changed) => {
    if (changed.metadata.name !== authSecret) return;
    const { users, keyDigest } = directoryOf(stored(world, authSecret));
    const known = users.get('plain')?.password ?? '';
    if (known.startsWith('$2')) hashes.add(known);
    if (keyDigest !== '') keys.add(keyDigest);
  });
  const processes = [await lead(world), await lead(world)];
  await until(() => isDone(world), 'it is put right');
  for (const one of processes) await Effect.runPromise(one.operator.drain);
  assert.equal([hashes.size, keys.size], [1, 1], 'even where two take themselves for the leader');
  for (const one of processes) await one.end();
});
spec('AUT-001 AUT-011 the leader recreates a deleted Secret of users and prints the password once', async () => {
  const world = makeTestEnvironment();
  const told: unknown[] = [];
  const admin = () =>
    firstAdminController({
      seed: seedAdmin({ newHasher: quickHasher }),
      seeded: ({ generated }) => void told.push(generated),
      log: () => {},
    });
  const processes = [await lead(world, undefined, [admin()]), await lead(world, undefined, [admin()])];
  for (const times of [1, 2]) {
    await until(() => told.length === times, 'it is seeded');
    const { users, sessionKey: key } = directoryOf(stored(world, authSecret));
    assert.ok(await compare(String(told.at(-1)), users.get('admin')?.password ?? ''));
    assert.is(key?.length, 32);
    world.cluster.drop(secrets, authSecret);
  }
  await until(() => told.length === 3, 'and once more');
  for (const one of processes) await one.end();
});
spec.run();
