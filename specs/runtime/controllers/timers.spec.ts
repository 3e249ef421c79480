import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { workflow } from '../../support/database.ts';
import { suite } from '../../support/suite.ts';
import { draft } from '../../support/service.ts';
import { liveDatabase } from './database/live.ts';
import { living, running } from './service/live.ts';

const spec = suite('who has a timer');

const closed = { deploy: { enabled: false } };

spec('KND-064 a service that is a draft has no timer', () =>
  living({ spec: closed, annotations: draft }, async (live) => {
    await live.pass(60);
    assert.is(live.phase(), 'Draft');
    assert.not(live.hasTimer());
  }),
);

spec('KND-064 a paused service has no timer', () =>
  living({ annotations: { [annotation.paused]: 'true' } }, async (live) => {
    await live.pass(60);
    assert.not(live.hasTimer());
  }),
);

spec('KND-067 a service that was given up has no timer', () =>
  living({ spec: { secretRefs: [{ name: 'absent' }] } }, async (live) => {
    await live.pass(600);
    assert.is(live.phase(), 'ProvisionFailed');
    assert.not(live.hasTimer());
  }),
);

spec('SVC-007a a service that runs has no timer', () =>
  living({}, async (live) => {
    await running(live);
    await live.pass(60);
    assert.is(live.phase(), 'Ready');
    assert.not(live.hasTimer());
  }),
);

spec('KND-064 a database that is a draft has no timer', async () => {
  const live = await liveDatabase({ spec: closed, annotations: workflow });
  await live.pass(60);
  assert.is(live.phase(), 'Draft');
  assert.not(live.hasTimer());
  await live.end();
});

spec('a service that follows no branch has no timer for one, even when the operator has just started', () =>
  living({ spec: closed, annotations: draft }, async (live) => {
    await live.pass(60);
    await live.crash();
    assert.is(live.phase(), 'Draft');
    assert.not(live.hasTimer());
  }),
);

spec.run();
