import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { HistoryEntry } from '../../../crds/kind.ts';
import { tables } from '../../../machines/tables.ts';
import { flappingOf } from '../../../rules/moves/flapping.ts';
import { isoTime } from '../../../rules/time.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('flapping');

const noon = Date.parse('2030-01-01T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;
const rests = tables.service.rests.map(({ state }) => state);

type Step = readonly [atMs: number, event: string, to: string, over?: Partial<HistoryEntry>];

/** Moves of the machine of a service that starts Ready. */
const movesOf = (steps: readonly Step[]): readonly HistoryEntry[] =>
  steps.map(([atMs, event, to, over], index) => ({
    seq: index + 1,
    machine: 'service',
    from: steps[index - 1]?.[2] ?? 'Ready',
    event,
    to,
    rule: 'waiting',
    by: 'operator',
    at: isoTime(noon + atMs),
    text: '',
    ...over,
  }));

const left = (atMs: number, over: Partial<HistoryEntry> = {}): readonly Step[] => [
  [atMs, 'waitFound', 'Provisioning', over],
  [atMs + 20_000, 'provisioned', 'Ready'],
];
const of = (steps: readonly Step[], now: number) =>
  flappingOf({ moves: movesOf(steps), machine: 'service', rests, now: noon + now });

spec('decision 185: three moves out of Ready in ten minutes are flapping until the first is ten minutes old', () => {
  const steps = [...left(0), ...left(2 * minute), ...left(5 * minute)];
  const flapping = { state: 'Ready', count: 3, endsAt: noon + 10 * minute };
  assert.equal(of(steps, 6 * minute), flapping);
  assert.equal(of(steps, 10 * minute - 1), flapping);
  assert.is(of(steps, 10 * minute), null);
  assert.is(of(steps.slice(2), 6 * minute), null, 'twice is not');
});

spec('decision 185: a move counts in the pass that makes it, where it is a millisecond ahead', () => {
  const steps = [...left(0), ...left(2 * minute), ...left(5 * minute + 1)];
  assert.is(of(steps, 5 * minute)?.count, 3);
  assert.is(of(steps, 4 * minute), null, 'of a clock that was set back since');
});

spec('decision 185: the count does not change by time alone', () => {
  const steps = [0, 1, 2, 3, 4].flatMap((at) => left(at * minute));
  assert.equal(
    [5, 9, 10, 11].map((now) => of(steps, now * minute)?.count),
    [5, 5, 5, 5],
  );
  assert.is(of(steps, 12 * minute), null);
});

spec('decision 185: a command, an edit of the spec, a visit and an outside change are no flapping', () => {
  const once = (over: Partial<HistoryEntry>) => [0, 1, 2, 3].flatMap((at) => left(at * minute, over));
  assert.is(of(once({ by: 'ada' }), 4 * minute), null);
  assert.is(of(once({ event: 'deployTakenUp' }), 4 * minute), null);
  assert.is(of(once({ event: 'fellAsleep' }), 4 * minute), null);
  assert.is(of(once({ event: 'movedOutside', by: 'outside' }), 4 * minute), null);
  const edited = [0, 1, 2, 3].flatMap((at): readonly Step[] => [
    [at * minute - 5_000, 'workloadDue', 'Ready'],
    ...left(at * minute),
  ]);
  assert.is(of(edited, 4 * minute), null, 'copies are replaced after an edit');
});

spec('decision 185: each event that leads a provisioned machine out of rest is asked for or its own', () => {
  const own = new Set([
    'actAwaited',
    'adminLoginMissing',
    'databaseLost',
    'failureCounted',
    'failureRepeated',
    'failureTimeExhausted',
    'failuresExhausted',
    'givenUpFound',
    'permanentErrorFound',
    'serverMissing',
    'serverNotReady',
    'storageUnavailable',
    'waitFound',
  ]);
  for (const machine of ['service', 'database', 'logicalDatabase', 'objectStore'] as const)
    for (const { state } of tables[machine].rests)
      for (const { from, event, to } of tables[machine].rows.filter((row) => row.from.includes(state))) {
        if (to === 'same' || to === state) continue;
        const moves = [0, 1, 2].flatMap((at): HistoryEntry[] => {
          const [leave] = movesOf([[at * minute, event, to]]);
          return leave ? [{ ...leave, machine, from: state }] : [];
        });
        const found = flappingOf({ moves, machine, rests: [state], now: noon + 3 * minute });
        assert.is(found !== null, own.has(event), `${machine} ${from.join()} ${event}`);
      }
});

spec('decision 185: moves of another machine or of entries are not its own', () => {
  const steps = [...left(0), ...left(minute), ...left(2 * minute)];
  const other = movesOf(steps).map((move) => ({ ...move, machine: 'draftDeploy' }));
  assert.is(flappingOf({ moves: other, machine: 'service', rests, now: noon + 3 * minute }), null);
  const entries = movesOf(steps).map((move) => ({ ...move, item: 'one' }));
  assert.is(flappingOf({ moves: entries, machine: 'service', rests, now: noon + 3 * minute }), null);
});

const gaps = fc.array(fc.integer({ min: 2_000, max: 4 * minute }), { minLength: 2, maxLength: 20 });

spec('decision 185: of generated histories those flap that left a state three times in the last ten minutes', () => {
  let flapping = 0;
  fc.assert(
    fc.property(gaps, fc.integer({ min: 0, max: 10 * minute }), (between, later) => {
      let at = 0;
      const steps = between.map((gap, index): Step => {
        at += gap;
        return index % 2 === 0 ? [at, 'waitFound', 'Provisioning'] : [at, 'provisioned', 'Ready'];
      });
      const now = at + later;
      const recent = steps.filter(([when, , to]) => to === 'Provisioning' && when > now - 10 * minute);
      const found = of(steps, now);
      assert.is(found !== null, recent.length >= 3);
      if (found === null) return;
      flapping += 1;
      assert.ok(found.count >= recent.length);
      assert.not.equal(of(steps, found.endsAt - noon - 1), null);
      assert.is(of(steps, found.endsAt - noon), null);
    }),
  );
  assert.ok(flapping > 10);
});

spec('decision 185: moves that are rare stay so when the clock is set back or ahead by three hours', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 11 * minute, max: hour }), { minLength: 1, maxLength: 10 }),
      fc.nat(10),
      fc.constantFrom(-3 * hour, 3 * hour),
      fc.integer({ min: 0, max: 6 * hour }),
      (between, turn, shift, later) => {
        let time = 0;
        let stamped = 0;
        const steps: Step[] = [];
        for (const [index, gap] of between.entries()) {
          time += gap;
          const clock = index >= turn ? time + shift : time;
          // As the history stamps its moves: never before the last one.
          for (const [event, to, after] of [
            ['waitFound', 'Provisioning', 0],
            ['provisioned', 'Ready', 20_000],
          ] as const) {
            stamped = Math.max(clock + after, stamped + 1);
            steps.push([stamped, event, to]);
          }
        }
        for (const at of [stamped, time + shift + later, time + later, stamped + later]) assert.is(of(steps, at), null);
      },
    ),
  );
});

spec.run();
