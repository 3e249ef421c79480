import * as assert from 'uvu/assert';
import { jobEnds, jobIn, logicalSecret, logicalText, putServer } from '../../../support/logicalDatabase.ts';
import { suite } from '../../../support/suite.ts';
import { living } from './live.ts';

const spec = suite('the life of a logical database on a shared server');
const done = ['True LogicalDatabaseReady', 'Logical database connection is available'];

spec('LDB-030 LDB-031 LDB-032 LDB-033 LDB-036 LDB-042 LDB-043 LDB-046 LDB-059 LDB-094 from nothing to Ready', () =>
  living({}, async (live) => {
    assert.equal([live.ready(), live.message()], ['False ReconcileError', 'creating logical database']);
    assert.ok(jobIn(live.world, 'create'));
    assert.ok(logicalSecret(live.world, 'login'));
    assert.is(logicalSecret(live.world, 'connection'), undefined);
    await live.hand((world) => jobEnds(world, 'create', 'Complete'));
    assert.equal([live.ready(), live.message()], done);
    const { status } = live.object();
    assert.is(status?.connectionSecret, 'recipes-connection');
    assert.is(status?.jobName, 'recipes-create');
    assert.is(status?.database, 'shop_production_recipes');
    assert.match(status?.username ?? '', /^u_[0-9a-f]{16}$/);
    assert.is(logicalText(live.world, 'host'), 'main-rw.core-system.svc');
    assert.is(
      logicalText(live.world, 'uri'),
      `postgresql://${status?.username}:${logicalText(live.world, 'password')}@main-rw.core-system.svc:5432/shop_production_recipes`,
    );
    console.log(JSON.stringify(live.moves('logicalDatabase')), JSON.stringify(live.moves('provisionRetry')));
    putServer(live.world);
  }),
);
spec.run();
