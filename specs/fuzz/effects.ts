import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { type Described, baseRequest, takesOnly } from './base.ts';
import { anyChange } from './changes.ts';
import { type Finding, findingOf } from './finding.ts';
import { faultsOf, statusesOf } from './answerFaults.ts';
import type { Wire } from './request.ts';
import { type Came, sendWire } from './send.ts';
import type { Target } from './target.ts';
import { type Variant, variantsOf } from './unknown.ts';

/** How long another caller may wait for an answer that costs nothing. */
export const othersWaitMs = 250;
/** What is seen on a busy machine is no finding until it is seen as often as this. */
const tries = 3;
const hungAfterMs = 120_000;
/** Passes go on for a moment after what was accepted. */
const quietMs = 300;

type State = Readonly<Record<string, string>>;

const changedIn = (before: State, after: State): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((place) => before[place] !== after[place]);

async function quietState(target: Target): Promise<State> {
  for (let before = await target.ask('state'); ;) {
    await pause(quietMs);
    const after = await target.ask('state');
    if (changedIn(before, after).length === 0) return after;
    before = after;
  }
}

/** Whether something holds each time that it is tried. */
async function always(holds: () => Promise<boolean>): Promise<boolean> {
  for (let time = 0; time < tries; time++) if (!(await holds())) return false;
  return true;
}

const send = (target: Target, wire: Wire): Promise<Came> => sendWire(target.port, wire, hungAfterMs);
const mayChangeNothing = (wire: Wire, came: Came) =>
  wire.method === 'GET' || statusesOf(came).some((one) => one >= 400);

/** Whether a request that is refused, or only reads, changes something each time that it is sent. */
const changesAlways = (target: Target, wire: Wire): Promise<boolean> =>
  always(async () => {
    const before = await quietState(target);
    const came = await send(target, wire);
    return mayChangeNothing(wire, came) && changedIn(before, await target.ask('state')).length > 0;
  });

/** What comes of a request, and how long another caller waited at most who asked all the while. */
async function besideAnother(target: Target, wire: Wire) {
  let isOver = false;
  const coming = send(target, wire).finally(() => (isOver = true));
  let waited = 0;
  while (!isOver) waited = Math.max(waited, await target.waitOfAnother());
  return { came: await coming, waited };
}

/** Whether another caller waits too long each time that a request is sent. */
export const delaysOthersAlways = (target: Target, wire: Wire): Promise<boolean> =>
  always(async () => (await besideAnother(target, wire)).waited > othersWaitMs);

/** What is wrong with the status of a request that has something unknown about it. */
function statusFaults({ name, wire }: Variant, status: number | undefined, { plain, isOpen }: Expected) {
  if (name === 'unknown field' && !isOpen && status !== 400) return [`an unknown field was answered with ${status}`];
  const isIgnored = name === 'unknown header' || name === 'unknown query key';
  return isIgnored && wire.method === 'GET' && status !== plain ? [`${name}: ${status}, and ${plain} without it`] : [];
}

interface Expected {
  /** What the request is answered as it is. */
  readonly plain: number | undefined;
  /** Whether its body may have fields that nobody knows. */
  readonly isOpen: boolean;
}

/** Sends one request beside another caller; what came of it, and what is wrong with that. */
async function checkOne(target: Target, variant: Variant, expected: Expected) {
  const { wire } = variant;
  const before = await target.ask('state');
  const { came, waited } = await besideAnother(target, wire);
  const [status] = statusesOf(came);
  const changed = mayChangeNothing(wire, came) ? changedIn(before, await target.ask('state')) : [];
  const isChanging = changed.length > 0 && (await changesAlways(target, wire));
  const isSlow = waited > othersWaitMs && (await delaysOthersAlways(target, wire));
  const faults = [
    ...faultsOf(came),
    ...statusFaults(variant, status, expected),
    ...(isChanging ? [`it changed ${changed.join(', ')}`] : []),
    ...(isSlow ? ['others waited for it'] : []),
  ];
  return { came, status, faults };
}

/** Sends requests one after another, each also with something unknown or wrong about it, and checks what they do. */
export async function checkEffects(target: Target, described: Described, { runs = 0, seed = 1, enough = 5 }) {
  const counts: Record<string, number> = {};
  const findings: Finding[] = [];
  const drawn = fc.tuple(baseRequest(described, target), anyChange);
  for (const [base, change] of fc.sample(drawn, { numRuns: runs, seed })) {
    let plain: number | undefined;
    for (const variant of [...variantsOf(base), { name: 'malformed' as const, wire: change.of(base) }]) {
      const { name, wire } = variant;
      const { came, status, faults } = await checkOne(target, variant, { plain, isOpen: !takesOnly(described, wire) });
      counts[`${name}: ${status}`] = (counts[`${name}: ${status}`] ?? 0) + 1;
      if (name === 'as it is') plain = status;
      if (faults.length > 0) findings.push(findingOf({ wire, changes: [name] }, came, faults));
      // More of them tell nothing more, and each takes seconds to be sure of.
      if (findings.length >= enough) return { counts, findings };
    }
  }
  return { counts, findings };
}
