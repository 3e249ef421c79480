import * as assert from 'uvu/assert';
import { historyOf } from '../../../../runtime/step/history.ts';
import { counted } from '../../../bench/counted.ts';
import { available } from '../../../support/deployed.ts';
import { suite } from '../../../support/suite.ts';
import { liveService } from './live.ts';

const spec = suite('a redeploy');

spec('it runs only once the pods of the new template do, and its Deployment is written once', async () => {
  const live = await liveService();
  try {
    await live.deploy('web-aaaaa');
    await live.hand((world) => available(world, 2));
    let writes: readonly string[] = [];
    await live.crash((cluster) => {
      const through = counted(cluster);
      ({ writes } = through);
      return through.cluster;
    });
    const before = historyOf(live.app()).length;
    const moves = () =>
      historyOf(live.app())
        .slice(before)
        .map(({ event }) => event);
    await live.deploy('web-bbbbb', { source: { image: 'nginx:1.28' } });
    assert.equal(moves(), ['redeployed', 'redeployFound', 'deployTakenUp']);
    await live.hand((world) => available(world, 2));
    assert.equal(moves(), ['redeployed', 'redeployFound', 'deployTakenUp', 'provisioned']);
    assert.equal(
      writes.filter((write) => write.endsWith(' deployments')),
      ['apply deployments'],
    );
  } finally {
    await live.end();
  }
});

spec.run();
