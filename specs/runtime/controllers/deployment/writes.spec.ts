import * as assert from 'uvu/assert';
import { historyOf } from '../../../../runtime/step/history.ts';
import { counted } from '../../../bench/counted.ts';
import { available } from '../../../support/deployed.ts';
import { suite } from '../../../support/suite.ts';
import { serviceSession } from './session.ts';

const spec = suite('a redeploy');

spec('a redeploy makes each of its writes once, and its record becomes active when its pods run', async () => {
  const session = await serviceSession();
  try {
    await session.deploy('web-aaaaa');
    await session.edit((environment) => available(environment, 2));
    let writes: readonly string[] = [];
    await session.crash((cluster) => {
      const through = counted(cluster);
      ({ writes } = through);
      return through.cluster;
    });
    const before = historyOf(session.app()).length;
    const moves = () =>
      historyOf(session.app())
        .slice(before)
        .map(({ event }) => event);
    await session.deploy('web-bbbbb', { source: { image: 'nginx:1.28' } });
    assert.equal(moves(), ['redeployed', 'redeployFound', 'deployTakenUp']);
    await session.edit((environment) => available(environment, 2));
    assert.equal(moves(), ['redeployed', 'redeployFound', 'deployTakenUp', 'provisioned']);
    assert.equal(countedBy(writes), {
      'apply deployments': 1,
      'create coredeployments': 1,
      // An Event for each move of the service or of the record into another state.
      'create events': 3,
      'patch coreapps': 1,
      // The record of what runs.
      'patch coredeployments': 1,
      // Two moves of one pass are one write; to apply the Deployment is a move into the same state.
      'status of coreapps': 4,
      // Of the new record, and of the record of what runs, whose new image was decided over.
      'status of coredeployments': 2,
    });
  } finally {
    await session.end();
  }
});

const countedBy = (writes: readonly string[]) =>
  Object.fromEntries(
    [...new Set(writes)].toSorted().map((write) => [write, writes.filter((one) => one === write).length]),
  );

spec.run();
