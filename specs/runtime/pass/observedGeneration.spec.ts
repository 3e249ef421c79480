import { Result } from 'effect';
import * as assert from 'uvu/assert';
import { annotation } from '../../../crds/names.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { command } from '../../../runtime/command/command.ts';
import { suite } from '../../support/suite.ts';
import { doing, makeHouse, notRead } from './toggle.ts';

const spec = suite('the generation that was decided over');

type House = ReturnType<typeof makeHouse>;

/** A toggle of the first generation whose next passes change nothing but that. */
const resting = (change: Parameters<typeof doing>[0] = {}): House => {
  const house = makeHouse(doing({ locked: true, ...change }));
  house.edit({ generation: 1 });
  return house;
};
const observed = ({ toggle }: House) => toggle().status?.observedGeneration;

spec('decision 169: the write that records a move records its generation', async () => {
  const house = makeHouse(doing());
  house.edit({ generation: 4 });
  await house.look();
  assert.is(observed(house), 4);
  assert.equal(house.writes, ['status', 'status'], 'the claim and the move');
});

spec('decision 169: where nothing else changed it is one write of its own, and at rest there is none', async () => {
  const house = resting();
  await house.look();
  assert.equal([observed(house), house.writes], [1, ['status']]);
  for (let pass = 0; pass < 3; pass++) await house.look();
  assert.equal(house.writes, ['status']);
  house.edit({ generation: 2 });
  assert.is(observed(house), 1, 'an edit alone is not decided over');
  for (let pass = 0; pass < 3; pass++) await house.look();
  assert.equal([observed(house), house.writes], [2, ['status', 'status']]);
  assert.equal(historyOf(house.toggle()), [], 'it is no move');
});

spec('decision 169: a command records it in its own write', async () => {
  const house = makeHouse(doing());
  house.edit({ generation: 3 });
  const [lifecycle] = house.controller.lifecycles;
  assert.ok(lifecycle);
  const given = { asked: 'open', by: 'ada' };
  const answered = await house.run(
    command({ controller: house.controller, lifecycle, name: 'front' }, given, house.context),
  );
  assert.ok(Result.isSuccess(answered));
  assert.equal([house.toggle().status?.phase, observed(house), house.writes], ['Open', 3, ['status']]);
});

spec('decision 145: a paused object keeps the old one until it goes on', async () => {
  const house = resting();
  await house.look();
  house.edit({ generation: 2, annotations: { [annotation.paused]: 'true' } });
  await house.look();
  assert.equal([observed(house), house.writes.length], [1, 1]);
  house.edit({ annotations: {} });
  await house.look();
  assert.equal([observed(house), house.writes.length], [2, 2]);
});

spec('decision 169: a generation over which nothing could be decided is not recorded', async () => {
  const house = makeHouse(doing({ key: notRead }));
  house.edit({ generation: 2 });
  assert.ok(Result.isFailure(await house.look()));
  assert.is(observed(house), undefined);
});

spec('decision 169: it is not ahead of a verdict that was left as it was', async () => {
  const told = doing({ locked: true, judges: 'anew' });
  const house = makeHouse(told);
  house.edit({ generation: 1 });
  await house.look();
  assert.is(observed(house), 1);
  told.judges = 'left';
  house.edit({ generation: 2 });
  await house.look();
  assert.is(observed(house), 1);
  told.judges = 'anew';
  await house.look();
  assert.equal([observed(house), house.toggle().status?.conditions?.[0]?.observedGeneration], [2, 2]);
});

spec.run();
