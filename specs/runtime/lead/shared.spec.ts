import { Effect } from 'effect';
import * as assert from 'uvu/assert';
import type { Secret } from '../../../crds/builtIn.ts';
import { systemNamespace } from '../../../crds/names.ts';
import { type Controller, controller } from '../../../runtime/contract/controller.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { startOperator } from '../../../runtime/start.ts';
import { withLog } from '../../faults/environment/logged.ts';
import { suite } from '../../support/suite.ts';
import { virtualTime } from '../../support/virtualTime.ts';
import { makeTestEnvironment } from '../../support/environment.ts';
import { done, holds, ServiceFailed } from '../../../runtime/contract/ensure.ts';

const spec = suite('controllers that share a kind');

const secret = (name: string, data: Readonly<Record<string, string>> = {}): Secret => ({
  metadata: { name, namespace: systemNamespace },
  data,
});
const keeper = (name: string, expects: readonly string[], rest: Partial<Controller<Secret>>): Controller =>
  controller<Secret>({
    resource: secrets,
    name,
    owns: (one) => expects.includes(one),
    expects,
    lifecycles: [],
    watches: [],
    ensures: {},
    ...rest,
  });

async function start(controllers: readonly Controller[], time = virtualTime()) {
  const environment = makeTestEnvironment();
  const services = time.over(environment.services);
  const started = await time.wait(startOperator(services, { controllers, alsoSeen: [], workers: 2 }));
  const later = async (ms: number) => {
    const until = time.now() + ms;
    await time.settle();
    for (let next = time.next(); next !== undefined && next <= until; next = time.next()) await time.moveTo(next);
    await time.moveTo(until);
  };
  return { environment, later, ...started };
}

spec('each holder reads its own objects, including shared ones, and no others', async () => {
  const looks: string[] = [];
  const looking = (name: string, names: readonly string[]) =>
    keeper(name, names, {
      ensures: {
        looked: {
          run: ({ object }) =>
            Effect.sync(() => {
              looks.push(`${name} ${object.metadata.name}`);
              return holds;
            }),
        },
      },
    });
  const { environment, later, crash } = await start([looking('first', ['a', 'b']), looking('second', ['b'])]);
  for (const name of ['a', 'b', 'c']) environment.cluster.put(secrets, secret(name));
  await later(1_000);
  assert.equal(looks.toSorted(), ['first a', 'first b', 'second b']);
  await crash();
});

spec(
  'missing objects are created, with growing pauses after failures, and recreated when they are deleted',
  async () => {
    const triedAt: number[] = [];
    let isRefused = true;
    const time = virtualTime();
    const maker = keeper('maker', ['kept'], {
      onMissing: (name) =>
        Effect.gen(function* () {
          triedAt.push(time.now());
          if (isRefused) return yield* new ServiceFailed({ message: 'not yet' });
          yield* (yield* Cluster).create(secrets, secret(name));
        }),
    });
    const { environment, later, crash } = await start([maker], time);
    await later(1_000);
    const pauses = triedAt.map((at, n) => at - (triedAt[n - 1] ?? at)).slice(1);
    assert.equal(pauses, [5, 10, 20, 40, 80, 160, 320]);
    isRefused = false;
    await later(1_000);
    assert.equal(
      environment.cluster.all(secrets).map(({ metadata }) => metadata.name),
      ['kept'],
    );
    const tries = triedAt.length;
    await later(600_000);
    assert.is(triedAt.length, tries, 'what is there is not made');
    environment.cluster.drop(secrets, 'kept');
    await later(1_000);
    assert.is(triedAt.length, tries + 1);
    assert.is(environment.cluster.all(secrets).length, 1);
    await crash();
  },
);

spec('a write by another part of the same process causes a pass like any other', async () => {
  const reader: string[] = [];
  const looking = keeper('looking', ['a'], {
    ensures: {
      looked: {
        run: ({ object }) =>
          Effect.sync(() => {
            reader.push(object.data?.['key'] ?? '');
            return holds;
          }),
      },
    },
  });
  const { operator, environment, later, crash } = await start([looking]);
  environment.cluster.put(secrets, secret('a', { key: 'MQ==' }));
  await later(1_000);
  environment.cluster.lag(secrets, true);
  operator.caches.of(secrets).note(environment.cluster.put(secrets, secret('a', { key: 'Mg==' })));
  await later(1_000);
  assert.equal(reader, ['MQ==', 'Mg==']);
  await crash();
});

spec('passes whose ensures always report a change run with growing pauses', async () => {
  const triedAt: number[] = [];
  const time = virtualTime();
  const stubborn = keeper('stubborn', ['a'], {
    ensures: {
      tried: {
        run: () =>
          Effect.sync(() => {
            triedAt.push(time.now());
            return done;
          }),
      },
    },
  });
  const { environment, later, crash } = await start([stubborn], time);
  environment.cluster.put(secrets, secret('a'));
  await later(1_000);
  const pauses = triedAt.map((at, n) => at - (triedAt[n - 1] ?? at)).slice(1);
  assert.equal(pauses, [5, 10, 20, 40, 80, 160, 320]);
  await crash();
});

spec('every process follows the caches from before their first list, also without the lease', async () => {
  const heard: string[] = [];
  const following = keeper('following', ['a'], {
    onChange: (caches) => {
      caches.of(secrets).onChange(({ object, initial }) => {
        heard.push(`${object.metadata.name} ${String(initial)}`);
      });
    },
  });
  const time = virtualTime();
  const environment = makeTestEnvironment();
  environment.cluster.put(secrets, secret('a'));
  const services = time.over(environment.services);
  const options = { controllers: [following], alsoSeen: [], workers: 2 };
  const held = { identity: 'one', seconds: 15 };
  const leader = await time.wait(
    startOperator(services, { ...options, controllers: [], alsoSeen: [secrets] }, { lease: held }),
  );
  await time.settle();
  const { crash, leads } = await time.wait(startOperator(services, options, { lease: { ...held, identity: 'two' } }));
  await time.settle();
  environment.cluster.put(secrets, secret('b'));
  await time.settle();
  assert.equal([await time.wait(leads()), heard], [false, ['a true', 'b false']]);
  await time.wait(crash());
  environment.cluster.put(secrets, secret('c'));
  await time.settle();
  assert.is(heard.length, 2);
  await time.wait(leader.crash());
});

spec('a pass ends without an error when its object is deleted meanwhile', async () => {
  const [environment, time] = [makeTestEnvironment(), virtualTime()];
  environment.cluster.put(secrets, secret('a'));
  const defaults = () => {
    environment.cluster.drop(secrets, 'a', systemNamespace);
    return { metadata: { labels: { kept: 'true' } } };
  };
  const controllers = [keeper('keeper', ['a'], { defaults })];
  const given = { controllers, alsoSeen: [], workers: 1 };
  const services = withLog(time.over(environment.services), environment.logged);
  const { crash } = await time.wait(startOperator(services, given));
  await time.settle();
  await time.moveTo(time.now() + 60_000);
  assert.equal(environment.cluster.all(secrets).length, 0);
  assert.not.match(environment.logged.join(), 'pass failed');
  await crash();
});

spec('two controllers of the same name are refused', async () => {
  const both = [keeper('same', ['a'], {}), keeper('same', ['b'], {})];
  const refused = await start(both).then(() => 'none', String);
  assert.match(refused, 'two controllers are called same');
});
spec.run();
