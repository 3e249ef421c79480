import * as assert from 'uvu/assert';
import { textOf } from '../../http/orThrow.ts';
import { AlreadyExists, Conflict } from '../../runtime/services/cluster/cluster.ts';
import { suite } from '../support/suite.ts';

const spec = suite('texts of failures');

spec('a conflict and an existing name are reported with the object name only', () => {
  const conflict = 'Operation cannot be fulfilled on coreapps.core.platform "web": the object has been modified';
  for (const what of ['web', conflict])
    assert.is(textOf(new Conflict({ what })), '"web" was modified concurrently; try again');
  for (const what of ['web', 'coreapps.core.platform "web" already exists'])
    assert.is(textOf(new AlreadyExists({ what })), '"web" already exists');
});

spec.run();
