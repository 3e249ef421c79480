import { type JsonText, jsonText } from '../response/jsonText.ts';
import type { KubeObject } from '../../crds/kind.ts';
import type { DeployedKind } from '../../rules/draftDeploy/facts.ts';
import { waitsForDeploy } from '../../rules/draftDeploy/waits.ts';
import { stateOf } from '../../rules/state.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import { apps, databases, logicalDatabases, objectStores } from '../../runtime/services/cluster/kinds.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import type { Place } from './continue.ts';
import { followed } from './followed.ts';
import { sortedBy } from './sorted.ts';

/** An object of a counted kind, in an environment, or in none where it is shared. */
interface Deployable extends KubeObject {
  readonly spec: {
    readonly project?: string;
    readonly environment?: string;
    readonly deploy?: { readonly enabled: boolean };
  };
}

/** The kinds that are counted, with what each is called by the deploy gate. */
export const countedKinds: readonly { readonly resource: Resource<Deployable>; readonly gated: DeployedKind }[] = [
  { resource: apps, gated: 'service' },
  { resource: databases, gated: 'database' },
  { resource: logicalDatabases, gated: 'logicalDatabase' },
  { resource: objectStores, gated: 'bucket' },
];

/** The number of resources in each state, and of those that wait for a deploy. */
interface Tally {
  readonly states: Map<string, number>;
  waiting: number;
}

/** What an environment holds of each kind, with its row until something of it changes. */
interface EnvironmentEntry {
  readonly project: string;
  readonly environment: string;
  readonly kinds: Map<string, Tally>;
  text: JsonText<EnvironmentCounts> | null;
}

/** How many are in each state, and how many wait for a deploy. */
interface Counts {
  readonly states: Readonly<Record<string, number>>;
  readonly waiting: number;
}

interface EnvironmentCounts extends Counts {
  readonly project: string;
  readonly environment: string;
}

interface KindCounts extends Counts {
  readonly kind: string;
}

/** The counts of all environments. */
export interface AllCounts {
  /** In the order of their places; what belongs to no project is in one without a name. */
  readonly environments: () => readonly EnvironmentEntry[];
  /** The counts of each kind in a project, an environment, or anywhere. */
  readonly kinds: (place: { readonly project?: string; readonly environment?: string }) => readonly KindCounts[];
}

const noTally = (): Tally => ({ states: new Map(), waiting: 0 });

function add(tally: Tally, { state, waits }: { readonly state: string; readonly waits: boolean }, by: number): void {
  const count = (tally.states.get(state) ?? 0) + by;
  if (count === 0) tally.states.delete(state);
  else tally.states.set(state, count);
  if (waits) tally.waiting += by;
}

function sumOf(tallies: Iterable<Tally>): Counts {
  const states: Record<string, number> = {};
  let waiting = 0;
  for (const tally of tallies) {
    for (const [state, count] of tally.states) states[state] = (states[state] ?? 0) + count;
    waiting += tally.waiting;
  }
  return { states, waiting };
}

export const placeOf = ({ project, environment }: EnvironmentEntry): Place => [project, environment];

/** The row of an environment as JSON. */
export const rowText = (held: EnvironmentEntry): JsonText<EnvironmentCounts> => {
  const { project, environment, kinds } = held;
  return (held.text ??= jsonText({ project, environment, ...sumOf(kinds.values()) }));
};

/** Counts resources by environment, kind and state; a change of one touches the counts of its environment alone. */
export function environmentCounts(caches: Pick<Caches, 'of'>): AllCounts {
  const places = new Map<string, EnvironmentEntry>();
  const everywhere = new Map<string, Tally>();
  let sorted: readonly EnvironmentEntry[] | null = null;

  const heldIn = ({ spec: { project = '', environment = '' } }: Deployable): EnvironmentEntry => {
    const key = JSON.stringify([project, environment]);
    const known = places.get(key);
    if (known) return known;
    const entry: EnvironmentEntry = { project, environment, kinds: new Map(), text: null };
    places.set(key, entry);
    sorted = null;
    return entry;
  };

  const count = (kind: string, gated: DeployedKind, object: Deployable, by: 1 | -1): void => {
    const held = heldIn(object);
    const counted = { state: stateOf(object), waits: waitsForDeploy(gated, object) };
    for (const kinds of [held.kinds, everywhere]) {
      const tally = kinds.get(kind) ?? noTally();
      kinds.set(kind, tally);
      add(tally, counted, by);
      if (tally.states.size === 0) kinds.delete(kind);
    }
    held.text = null;
    if (held.kinds.size > 0) return;
    places.delete(JSON.stringify([held.project, held.environment]));
    sorted = null;
  };

  const follows = countedKinds.map(({ resource, gated }) =>
    followed(caches.of(resource), {
      begin: (objects) => {
        for (const object of objects) count(resource.kind, gated, object, 1);
      },
      leave: (object) => count(resource.kind, gated, object, -1),
      enter: (object) => count(resource.kind, gated, object, 1),
    }),
  );
  const follow = (): void => {
    for (const one of follows) one();
  };

  return {
    environments: () => {
      follow();
      return (sorted ??= sortedBy([...places.values()], placeOf));
    },
    kinds: ({ project, environment }) => {
      follow();
      const isIn = (held: EnvironmentEntry) =>
        (project === undefined || held.project === project) &&
        (environment === undefined || held.environment === environment);
      const among =
        project === undefined && environment === undefined
          ? [everywhere]
          : [...places.values()].filter(isIn).map(({ kinds }) => kinds);
      return countedKinds.map(({ resource: { kind } }) => ({
        kind,
        ...sumOf(among.flatMap((kinds) => kinds.get(kind) ?? [])),
      }));
    },
  };
}
