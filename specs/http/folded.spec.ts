import * as assert from 'uvu/assert';
import { annotation } from '../../crds/names.ts';
import type { FoldedTransitions } from '../../http/api.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { app, serve, type Served } from './served.ts';

const spec = suite('folded transitions');
let served: Served;
spec.before(async () => {
  served = await serve();
});
spec.after(() => served.stop());

const move = (seq: number) => ({
  seq,
  machine: 'service',
  ...(seq % 2 === 0
    ? { from: 'Ready', event: 'becameUnready', to: 'Provisioning' }
    : { from: 'Provisioning', event: 'provisioned', to: 'Ready' }),
  by: 'operator',
  at: `2026-01-01T00:0${seq}:00.000Z`,
  text: 'Service failed to start',
  params: [],
});

spec(
  'fold=true makes moves to and fro one item, of a service and of its machine; the history stays whole',
  async () => {
    const made = app('web', {}, { history: [1, 2, 3, 4, 5].map(move) });
    served.world.cluster.put(apps, {
      ...made,
      metadata: { ...made.metadata, annotations: { [annotation.paused]: 'true' } },
    });
    await until(() => served.operator.caches.get(apps, 'web'), 'the service is cached');
    for (const path of ['/apps/web/transitions', '/machines/service/instances/coreapps:web/transitions']) {
      const read = async (query: string) =>
        ((await served.ask(`/api/v1${path}${query}`)).json() as FoldedTransitions).items;
      assert.is((await read('')).length, 5, path);
      const [fold, ...rest] = await read('?fold=true');
      assert.equal(rest, []);
      assert.equal(
        fold && 'fold' in fold && [fold.from, fold.to, fold.count, fold.firstSeq, fold.lastSeq],
        ['Provisioning', 'Ready', 5, 1, 5],
        path,
      );
    }
  },
);

spec.run();
