import * as assert from 'uvu/assert';
import type { AnyLifecycle } from '../../../runtime/contract/lifecycle.ts';
import { everything } from '../../../runtime/controllers/all.ts';
import { actingFaults } from '../../check/happening.ts';
import { lifecycleNames, lifecycleOf } from '../../check/lifecycles.ts';
import { tableOf } from '../../check/check.ts';
import { runOf } from '../../check/run.ts';
import type { AnySubject } from '../../check/subject.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('actions with external effects');

const { controllers } = everything({
  builder: { builderImage: 'builder', gitImage: 'git', gitUrl: 'https://git.example' },
});
const performed = controllers.flatMap(({ lifecycles }) => lifecycles);

const faultsOf = (subject: AnySubject) =>
  actingFaults(runOf({ subject, table: tableOf(subject.name), places: { arrows: {}, rules: {} }, seed: 0 }));

spec('rows of a command or an external change have no action with an external effect in any lifecycle', async () => {
  for (const name of lifecycleNames()) assert.equal(faultsOf(await lifecycleOf(name)), [], name);
});

const performedBy = (actions: AnyLifecycle['actions']) =>
  Object.keys(actions)
    .filter((name) => actions[name]?.effect !== undefined)
    .toSorted();

spec('the actions checked for a lifecycle are those of its controller', async () => {
  assert.ok(performed.length > 0);
  for (const { name, actions } of performed) {
    const subject = await lifecycleOf(name);
    assert.equal((subject.acts ?? []).toSorted(), performedBy(actions), name);
  }
});

spec('an action on a row of a command or an external change is reported with its row', async () => {
  const build = await lifecycleOf('build');
  const answered = faultsOf({ ...build, acts: [...(build.acts ?? []), 'requestCancel'] });
  assert.match(answered[0]?.text ?? '', /cancel-asked answers a command and does requestCancel/);
  assert.match(answered[0]?.at.join(' ') ?? '', /build\.md:\d+/);
  const found = faultsOf({ ...build, acts: [...(build.acts ?? []), 'voidRun'] });
  assert.match(found[0]?.text ?? '', /reset-found finds what happened and does voidRun/);
});

spec.run();
