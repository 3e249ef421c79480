import type { KubeObject } from '../../crds/kind.ts';
import { entryMachines } from './entries.ts';
import { memoize } from '../cache/memoize.ts';
import type { AnyLifecycle } from '../contract/lifecycle.ts';
import type { Controller } from '../contract/controller.ts';

/** Cached, because a pass needs them several times for each version of its object. */
const lastMachines = memoize<readonly AnyLifecycle[]>();

/** The machines of an object in step order: its own, then those of its list entries. */
export const machinesOn = ({ lifecycles, entries }: Controller, object: KubeObject): readonly AnyLifecycle[] =>
  entries === undefined
    ? lifecycles
    : lastMachines(object, [lifecycles, entries], () => [...lifecycles, ...entryMachines(entries, object)]);
