import * as assert from 'uvu/assert';
import { textOf } from '../../http/orThrow.ts';
import { AlreadyExists, Conflict } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';

const spec = suite('the words of a failure');

spec('a conflict and a taken name state the name of the object alone, also when Kubernetes says more', () => {
  const conflict = 'Operation cannot be fulfilled on coreapps.core.platform "web": the object has been modified';
  for (const what of ['web', conflict])
    assert.is(textOf(new Conflict({ what })), '"web" was modified concurrently; try again');
  for (const what of ['web', 'coreapps.core.platform "web" already exists'])
    assert.is(textOf(new AlreadyExists({ what })), '"web" already exists');
});

spec.run();
