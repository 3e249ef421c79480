import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { deliveriesSubject } from './subjects/deliveries.ts';
import { run } from './world/run.ts';

const spec = suite('faults: deliveries of webhooks');

for (const path of deliveriesSubject.paths)
  spec(`without a fault: ${path.name}`, async () => {
    const { faults } = await run({ subject: deliveriesSubject, path, troubles: [] });
    assert.equal(faults, []);
  });

spec.run();
