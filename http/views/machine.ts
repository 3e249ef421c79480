import type { KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import type { Operator } from '../../runtime/operator.ts';
import { stateOf } from '../../runtime/step/standing.ts';
import { withStatus } from '../../runtime/step/status.ts';
import { ensuresOf, statesOf, takeArrow } from '../../runtime/step/machine.ts';
import type { AnyLifecycle } from '../../runtime/contract/lifecycle.ts';
import type { Machine } from '../routes/machines/shapes.ts';
import { gone } from '../../runtime/step/step.ts';
import { instancesOf } from './instancesOf.ts';
import { countedIn } from '../lists/counted.ts';
import { type AnyMachine, isShown, type Kinds, type Placed, restsUntil, type Tabled } from './placed.ts';

/** The origin of an event: decided by a pass, written into the object from outside, or requested by a command. */
function outsideEvents({ rules }: AnyMachine): (event: string) => 'command' | 'outside' | 'rule' {
  const all = [...rules.values()].flat();
  const decided = new Set(all.filter(({ answers, finds }) => !answers && !finds).map(({ then }) => then));
  const found = new Set(all.filter(({ finds }) => finds).map(({ then }) => then));
  return (event) => (decided.has(event) ? 'rule' : found.has(event) ? 'outside' : 'command');
}

/** The name of a state that the machine does not know; only its stored word is shown. */
const unrecognised = 'Unrecognised';

/** Whether a person or another system requests an event. */
export const isCommand = (lifecycle: AnyMachine, event: string): boolean =>
  outsideEvents(lifecycle)(event) === 'command';

const eventsOf = ({ machine }: AnyMachine, state: string): readonly string[] => [
  ...(machine.states[state]?.transitions.keys() ?? []),
];

/** A state that nothing but a person, a push or a reset leads out of: however long it lasts, it is not stuck. */
function isResting(lifecycle: AnyMachine, state: string): boolean {
  const kindOf = outsideEvents(lifecycle);
  return eventsOf(lifecycle, state)
    .filter((event) => kindOf(event) === 'rule')
    .every((event) => takeArrow(lifecycle.machine, state, event)?.to === state);
}

/** Whether nothing leads out of a resting state but the deletion of its object. */
const isFinal = (of: Tabled, state: string): boolean =>
  restsUntil(of, state) !== null &&
  of.rows.every(({ from, to }) => !from.includes(state) || [state, 'same', gone].includes(to));

const nobody: KubeObject = { metadata: { name: '' } };

/** The word a person reads for a state: what is kept in no status, or is over, no status can be made up for. */
export const shownOf = (lifecycle: AnyMachine, state: string): string =>
  state === gone || lifecycle.storage !== 'status' || lifecycle.item !== undefined
    ? state
    : lifecycle.shown(standingIn(lifecycle, state));

/** An object in that state; some are those of an object that is being deleted alone. */
function standingIn(lifecycle: AnyLifecycle, state: string): KubeObject {
  const object = withStatus(nobody, lifecycle.write(state, nobody));
  if (lifecycle.read(object) === state) return object;
  return { ...object, metadata: { ...object.metadata, deletionTimestamp: '1970-01-01T00:00:00Z' } };
}

/** The displayed word of an object's state. */
export const shownIn = (lifecycle: AnyLifecycle, object: KubeObject): string =>
  stateOf(lifecycle, object) === gone ? gone : lifecycle.shown(object);

const shapes = new WeakMap<AnyMachine, Pick<Machine, 'initial' | 'states' | 'events'>>();

/** What the machine itself and its table say; it never changes. */
function shapeOf(placed: Tabled): Pick<Machine, 'initial' | 'states' | 'events'> {
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
      final: isFinal(placed, name),
      restsUntil: restsUntil(placed, name),
      ensures: ensuresOf(lifecycle.machine, name),
    })),
    events: [...new Set(names.flatMap((name) => eventsOf(lifecycle, name)))].toSorted(),
  };
  shapes.set(lifecycle, shape);
  return shape;
}

/** Whether nothing more happens by itself in a state; before a life and at its end something still does. */
export const isRestingState = (placed: Tabled, state: string): boolean =>
  shapeOf(placed).states.some(({ name, resting }) => name === state && resting);

/** What an instance is counted under, besides its state. */
const retries = '(retrying)';

/** The words that the instances of a machine on an object are counted under. */
function countedNames(placed: Placed, object: KubeObject): readonly string[] {
  return instancesOf(placed, object).flatMap(({ placed: { lifecycle } }) => {
    const state = stateOf(lifecycle, object);
    const counted = state === unrecognised ? lifecycle.shown(object) : state;
    return lifecycle.retrying(object) ? [counted, retries] : [counted];
  });
}

/** Reads one machine with its table and the counts of its states over all its kinds, which are kept by event. */
export function machineReads({ caches }: Pick<Operator, 'caches'>, kinds: Kinds): (view: View) => Machine {
  const [first] = kinds;
  const counted = kinds.map((placed) => ({
    placed,
    counts: countedIn(caches.of(placed.controller.resource), (object) => countedNames(placed, object)),
  }));
  return (view) => {
    const shown = counted.filter(({ placed }) => isShown(placed, view));
    const counts: Record<string, number> = {};
    for (const { counts: ofKind } of shown)
      for (const [word, count] of ofKind()) counts[word] = (counts[word] ?? 0) + count;
    const { [retries]: retrying = 0, ...ofStates } = counts;
    return {
      ...tableRead(first),
      kinds: kinds.map(({ controller }) => controller.resource.kind),
      // Nothing is counted of what a view does not read.
      counts: shown.length > 0 ? ofStates : null,
      retrying,
    };
  };
}

/** A machine as its table and itself say it. */
export const tableRead = (of: Tabled): Omit<Machine, 'kinds' | 'counts' | 'retrying'> => ({
  name: of.lifecycle.name,
  ...shapeOf(of),
  rows: of.rows,
  asked: of.asked,
});
