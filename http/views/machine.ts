import type { View } from '../../rules/access/needs.ts';
import type { Operator } from '../../runtime/operator.ts';
import { withStatus } from '../../runtime/status.ts';
import { ensuresOf, hasState, statesOf, takeArrow } from '../../runtime/machine.ts';
import type { AnyLifecycle } from '../../runtime/lifecycle.ts';
import type { Machine } from '../api.ts';
import { unrecognised } from './instance.ts';
import { objectsOf, type Placed, restsUntil } from './placed.ts';

/** Whence an event comes: a pass decides it, somebody wrote it straight into the object, or somebody asks for it. */
function outsideEvents({ rules }: AnyLifecycle): (event: string) => 'command' | 'outside' | 'rule' {
  const all = [...rules.values()].flat();
  const decided = new Set(all.filter(({ answers, finds }) => !answers && !finds).map(({ then }) => then));
  const found = new Set(all.filter(({ finds }) => finds).map(({ then }) => then));
  return (event) => (decided.has(event) ? 'rule' : found.has(event) ? 'outside' : 'command');
}

/** Whether an event is asked for by a person or another system. */
export const isCommand = (lifecycle: AnyLifecycle, event: string): boolean =>
  outsideEvents(lifecycle)(event) === 'command';

const eventsOf = ({ machine }: AnyLifecycle, state: string): readonly string[] => [
  ...(machine.states[state]?.transitions.keys() ?? []),
];

/** A state that nothing but a person, a push or a reset leads out of: however long it lasts, it is not stuck. */
function isResting(lifecycle: AnyLifecycle, state: string): boolean {
  const kindOf = outsideEvents(lifecycle);
  return eventsOf(lifecycle, state)
    .filter((event) => kindOf(event) === 'rule')
    .every((event) => takeArrow(lifecycle.machine, state, event)?.to === state);
}

/** The word a person reads for a state; one kept in spec and annotations is called what it is. */
export const shownOf = (lifecycle: AnyLifecycle, state: string): string =>
  lifecycle.kept === 'object' ? state : lifecycle.shown(withStatus({ metadata: { name: '' } }, lifecycle.write(state)));

const shapes = new WeakMap<AnyLifecycle, Pick<Machine, 'initial' | 'states' | 'events'>>();

/** What the machine itself and its table say; it never changes. */
function shapeOf(placed: Placed): Pick<Machine, 'initial' | 'states' | 'events'> {
  const { lifecycle } = placed;
  const known = shapes.get(lifecycle);
  if (known) return known;
  const names = statesOf(lifecycle.machine);
  const { initial } = lifecycle.machine.config;
  const shape = {
    initial: typeof initial === 'string' ? initial : '',
    states: names.map((name) => ({
      name,
      shown: shownOf(lifecycle, name),
      resting: isResting(lifecycle, name),
      restsUntil: restsUntil(placed, name),
      ensures: ensuresOf(lifecycle.machine, name),
    })),
    events: [...new Set(names.flatMap((name) => eventsOf(lifecycle, name)))].toSorted(),
  };
  shapes.set(lifecycle, shape);
  return shape;
}

export const isRestingState = (placed: Placed, state: string): boolean =>
  !hasState(placed.lifecycle.machine, state) ||
  shapeOf(placed).states.some(({ name, resting }) => name === state && resting);

/** One machine with its table and how many instances stand where. */
export function machineOf(operator: Operator, placed: Placed, view: View): Machine {
  const { controller, lifecycle, rows, asked } = placed;
  const counts: Record<string, number> = {};
  let retrying = 0;
  for (const object of objectsOf(operator, placed, view)) {
    const state = lifecycle.read(object);
    const counted = state === unrecognised ? lifecycle.shown(object) : state;
    counts[counted] = (counts[counted] ?? 0) + 1;
    if (lifecycle.retrying(object)) retrying++;
  }
  return { name: lifecycle.name, kind: controller.resource.kind, ...shapeOf(placed), rows, asked, counts, retrying };
}
