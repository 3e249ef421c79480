import type { DraftDeployState } from '../../machines/names.ts';
import { type Deployable, snapshotOf } from './stored.ts';
import { atOncePaths } from './waiting.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The spec that runs in a state of the gate: null for a draft, and when the deployed spec is no longer known. */
export function runningSpec<O extends Deployable>(state: DraftDeployState, object: O): O['spec'] | null {
  switch (state) {
    case 'Ungated':
      return object.spec;
    case 'Deployed':
    case 'PendingChanges': {
      const snapshot = snapshotOf<O['spec']>(object);
      return snapshot === null ? object.spec : merged(snapshot, object.spec);
    }
    case 'Draft':
    case 'SnapshotMissing':
      return null;
  }
}

/** Caches the result for a snapshot and a spec, because both are requested many times in a pass. */
const known = new WeakMap<object, { readonly spec: object; readonly running: object }>();

function merged<S extends object>(snapshot: S, spec: S): S {
  const before = known.get(snapshot);
  if (before?.spec === spec) return before.running as S;
  const running = atOnceOf(snapshot, spec);
  known.set(snapshot, { spec, running });
  return running;
}

/** The snapshot, with the settings that never wait for a deploy taken from the spec. */
const atOnceOf = <S extends object>(snapshot: S, spec: S): S =>
  [...atOncePaths, 'spec.deploy'].reduce<S>(
    (running, path) => taken(running, spec, path.split('.').slice(1)),
    snapshot,
  );

function taken<S>(into: S, from: unknown, [key, ...rest]: readonly string[]): S {
  if (key === undefined) return from as S;
  const [fields, source] = [(into ?? {}) as Fields, (from ?? {}) as Fields];
  const { [key]: before, ...others } = fields;
  const value = taken(before, source[key], rest);
  if (value === undefined) return (into === undefined ? undefined : others) as S;
  return { ...others, [key]: value } as S;
}
