import * as assert from 'uvu/assert';
import { suite } from '../support/suite.ts';
import { deliveriesSubject } from './subjects/deliveries.ts';
import { pullRequestSubject } from './subjects/pullRequest.ts';
import { run } from './world/run.ts';

const spec = suite('faults: deliveries of webhooks, and pull requests');

for (const path of deliveriesSubject.paths)
  spec(`without a fault: ${path.name}`, async () => {
    const { faults } = await run({ subject: deliveriesSubject, path, troubles: [] });
    assert.equal(faults, []);
  });

for (const path of pullRequestSubject.paths)
  spec(`GIT-018 without a fault: ${path.name}, and nothing is left`, async () => {
    const { faults } = await run({ subject: pullRequestSubject, path, troubles: [] });
    assert.equal(faults, []);
  });

spec.run();
