import * as assert from 'uvu/assert';
import { compareAgainMs, compareEveryMs } from '../../../runtime/cache/lister.ts';
import { Unavailable, Gone } from '../../../runtime/services/cluster/cluster.ts';
import { suite } from '../../support/suite.ts';
import { more, object, page, start } from './scriptedServer.ts';

const spec = suite('cache and list compared');

spec('a parallel list finds what the watch missed and reports nothing else', async () => {
  const { asked, later, answer, names, changes } = await start([page(7, object('a', 3), object('b', 4))]);
  answer(more(page(20, object('a', 3)), 'next'), page(20, object('c', 9)));
  await later(compareEveryMs - 1);
  assert.equal(names(), ['a@3', 'b@4']);
  await later(1);
  assert.equal(names(), ['a@3', 'c@9']);
  assert.equal(changes.slice(2), ['added c@9', 'deleted b@4']);
  assert.equal(asked, ['list', 'watch 7 9000', 'list', 'list next']);
});

spec('a cache is compared at intervals of a monotonic clock', async () => {
  const { lists, later, answer, jump } = await start([page(7)]);
  for (const [index, hours] of [0, 5, -9].entries()) {
    answer(page(8));
    jump(hours * 3_600_000);
    await later(compareEveryMs - 1);
    assert.is(lists(), index + 1);
    await later(1);
    assert.is(lists(), index + 2);
  }
});

spec('watch events and a running list do not undo each other', async () => {
  const { later, answer, hold, arrive, tell, names, changes } = await start([
    page(7, object('changed', 3), object('deleted', 4), object('same', 5)),
  ]);
  answer(page(20, object('changed', 3), object('deleted', 4), object('lost', 6), object('same', 5)));
  hold();
  await later(compareEveryMs);
  await tell(
    { type: 'modified', object: object('changed', 21) },
    { type: 'deleted', object: object('deleted', 22) },
    { type: 'added', object: object('new', 23) },
  );
  assert.equal(names(), ['changed@21', 'new@23', 'same@5']);
  await arrive();
  assert.equal(names(), ['changed@21', 'lost@6', 'new@23', 'same@5']);
  assert.equal(changes.slice(3), ['modified changed@21', 'deleted deleted@4', 'added new@23', 'added lost@6']);
});

spec('a late watch event of an object already listed is ignored', async () => {
  const { later, answer, tell, names, changes } = await start([page(7, object('a', 3))]);
  answer(page(20, object('b', 18)));
  await later(compareEveryMs);
  await tell(
    { type: 'modified', object: object('a', 12) },
    { type: 'added', object: object('b', 13) },
    { type: 'deleted', object: object('a', 14) },
    { type: 'added', object: object('c', 21) },
  );
  assert.equal(names(), ['b@18', 'c@21']);
  assert.equal(changes.slice(1), ['added b@18', 'deleted a@3', 'added c@21']);
});

spec('a list older than the cache changes nothing and is soon repeated', async () => {
  const { later, answer, tell, names, changes } = await start([page(7, object('a', 3), object('b', 4))]);
  await tell({ type: 'deleted', object: object('a', 30) }, { type: 'modified', object: object('b', 31) });
  answer(page(29, object('a', 3), object('b', 5)));
  await later(compareEveryMs);
  assert.equal(names(), ['b@31']);
  answer(page(40, object('b', 31), object('lost', 32)));
  await later(compareAgainMs);
  assert.equal(names(), ['b@31', 'lost@32']);
  assert.equal(changes.slice(2), ['deleted a@3', 'modified b@31', 'added lost@32']);
});

spec('a failed list leaves the watch open and is soon repeated', async () => {
  for (const failure of [new Unavailable({ message: 'down' }), new Gone({ what: 'page' })]) {
    const { asked, later, answer, tell, names } = await start([page(7)]);
    answer(failure);
    await later(compareEveryMs);
    await tell({ type: 'added', object: object('a', 8) });
    assert.equal(names(), ['a@8']);
    answer(page(20, object('a', 8), object('b', 9)));
    await later(compareAgainMs);
    assert.equal(names(), ['a@8', 'b@9']);
    assert.equal(asked, ['list', 'watch 7 9000', 'list', 'list']);
  }
});

spec('a comparison keeps its interval when other causes list the kind', async () => {
  const { lists, later, fail } = await start([page(7), page(8), page(9), page(10)]);
  await later(compareEveryMs);
  await later(1_000);
  await fail(new Gone({ what: 'too old' }));
  const before = lists();
  await later(compareEveryMs - 1_001);
  assert.is(lists(), before);
  await later(1);
  assert.is(lists(), before + 1);
});

spec.run();
