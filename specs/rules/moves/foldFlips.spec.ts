import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { HistoryEntry } from '../../../crds/kind.ts';
import { type Fold, foldFlips, isFold } from '../../../rules/moves/foldFlips.ts';
import { isoTime } from '../../../rules/time.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('folding moves to and fro');

type Step = readonly [machine: string, to: string, item?: string];

/** Moves of machines, each from the state that its last move led to. */
function movesOf(steps: readonly Step[], begin = 'Ready'): readonly HistoryEntry[] {
  const states = new Map<string, string>();
  return steps.map(([machine, to, item], index) => {
    const key = `${machine} ${item ?? ''}`;
    const from = states.get(key) ?? begin;
    states.set(key, to);
    const text = `to ${to}`;
    const of = item === undefined ? {} : { item };
    return { seq: index + 1, machine, ...of, from, event: 'x', to, by: 'operator', at: isoTime(index * 1000), text };
  });
}

const service = (...states: readonly string[]): readonly Step[] => states.map((to) => ['service', to]);

spec('four moves to and fro are one item with its span, and three stay as they are', () => {
  const moves = movesOf(service('Provisioning', 'Ready', 'Provisioning', 'Ready'));
  assert.equal(foldFlips(moves), [
    {
      fold: true,
      machine: 'service',
      from: 'Ready',
      to: 'Provisioning',
      count: 4,
      first: isoTime(0),
      last: isoTime(3000),
      firstSeq: 1,
      lastSeq: 4,
      text: '4 moves between Ready and Provisioning; last: to Ready',
    },
  ]);
  assert.equal(foldFlips(moves.slice(1)), moves.slice(1));
});

spec('moves of another machine in between stay, and the fold takes the place of its last move', () => {
  const moves = movesOf([
    ['service', 'Provisioning'],
    ['provisionRetry', 'Retrying'],
    ...service('Ready', 'Provisioning', 'Ready', 'Provisioning'),
    ['provisionRetry', 'Ready'],
  ]);
  const items = foldFlips(moves);
  assert.equal(
    items.map((item) => (isFold(item) ? `${item.firstSeq}-${item.lastSeq}` : item.seq)),
    [2, '1-6', 7],
  );
});

spec('a move to a third state, one that stays and one of another entry end no run of their own but this one', () => {
  const third = movesOf(service('Provisioning', 'Ready', 'ProvisionFailed', 'Ready', 'Provisioning', 'Ready'));
  assert.equal(foldFlips(third), third);
  const stay = movesOf(service('Provisioning', 'Ready', 'Ready', 'Provisioning', 'Ready', 'Provisioning'));
  assert.equal(foldFlips(stay), stay);
  const entries = movesOf(['one', 'two', 'one', 'two'].map((item, index) => ['delivery', `state${index}`, item]));
  assert.equal(foldFlips(entries), entries);
});

spec('moves of several objects fold for each object by itself', () => {
  const moves = movesOf(service('Provisioning', 'Ready', 'Provisioning', 'Ready')).flatMap((move) => [
    { ...move, id: 'shop' },
    { ...move, id: 'cart' },
  ]);
  assert.equal(
    foldFlips(moves, ({ id }) => id).map((item) => isFold(item) && item.count),
    [4, 4],
  );
});

const step = fc.record({
  machine: fc.constantFrom('service', 'service', 'service', 'draftDeploy'),
  to: fc.constantFrom('flip', 'flip', 'flip', 'flip', 'Ready', 'ProvisionFailed'),
  item: fc.constantFrom(undefined, undefined, undefined, 'a'),
});
/** Most moves lead back to where the one before came from. */
const histories = fc.array(step, { maxLength: 60, size: 'max' }).map((steps) => {
  const known = new Map<string, readonly [from: string, to: string]>();
  return movesOf(
    steps.map(({ machine, to: wanted, item }): Step => {
      const key = `${machine} ${item ?? ''}`;
      const [from, at] = known.get(key) ?? ['Provisioning', 'Ready'];
      const to = wanted === 'flip' ? from : wanted;
      known.set(key, [at, to]);
      return item === undefined ? [machine, to] : [machine, to, item];
    }),
  );
});

const within =
  ({ machine, firstSeq, lastSeq }: Fold, from: string, to: string) =>
  (move: HistoryEntry) =>
    move.machine === machine &&
    move.seq >= firstSeq &&
    move.seq <= lastSeq &&
    [from, to].includes(move.from) &&
    [from, to].includes(move.to);

spec('unfolding loses nothing but detail, and the order stays', () => {
  let folds = 0;
  fc.assert(
    fc.property(histories, (moves) => {
      const items = foldFlips(moves);
      const counted = items.reduce((sum, item) => sum + (isFold(item) ? item.count : 1), 0);
      assert.is(counted, moves.length, 'each move is shown or counted once');
      const places = items.map((item) => (isFold(item) ? item.lastSeq : item.seq));
      assert.equal(
        places,
        places.toSorted((one, other) => one - other),
      );
      const shown = new Set(items.filter((item) => !isFold(item)));
      const hidden = moves.filter((move) => !shown.has(move));
      for (const fold of items.filter(isFold)) {
        folds += 1;
        const [first, last] = [moves[fold.firstSeq - 1], moves[fold.lastSeq - 1]];
        assert.ok(fold.count >= 4);
        assert.equal([first?.at, last?.at], [fold.first, fold.last]);
        assert.equal([first?.from, first?.to], [fold.from, fold.to]);
        assert.is(last?.to, fold.count % 2 === 0 ? fold.from : fold.to);
        const its = hidden.filter(within(fold, fold.from, fold.to)).filter(({ item }) => item === first?.item);
        assert.is(its.length, fold.count);
        for (const [index, move] of its.entries())
          assert.equal([move.from, move.to], index % 2 === 0 ? [fold.from, fold.to] : [fold.to, fold.from]);
      }
    }),
  );
  assert.ok(folds > 20, 'the histories flip');
});

spec('what is left has no further run to fold, and a fold does not cross a page', () => {
  fc.assert(
    fc.property(histories, fc.nat(60), (moves, cut) => {
      const left = foldFlips(moves).filter((item): item is HistoryEntry => !isFold(item));
      for (const machine of ['service', 'draftDeploy'])
        for (const item of [undefined, 'a', 'b']) {
          const own = moves.filter((move) => move.machine === machine && move.item === item);
          const alternating = own.map((move, at) => own[at - 1]?.from === move.to && move.from !== move.to);
          for (let at = 3; at < own.length; at++)
            if (alternating.slice(at - 2, at + 1).every(Boolean))
              assert.not.ok(left.some(({ seq }) => seq === own[at]?.seq));
        }
      for (const [page, base] of [
        [moves.slice(0, cut), 0],
        [moves.slice(cut), cut],
      ] as const)
        for (const fold of foldFlips(page).filter(isFold))
          assert.ok(fold.firstSeq > base && fold.lastSeq <= base + page.length);
    }),
  );
});

spec.run();
