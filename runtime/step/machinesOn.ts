import type { KubeObject } from '../../crds/kind.ts';
import { entryMachines } from './entries.ts';
import { memoize } from '../cache/memoize.ts';
import type { AnyLifecycle } from '../contract/lifecycle.ts';
import type { Controller } from '../contract/controller.ts';

/** A pass asks for them several times over each version of its object. */
const lastMachines = memoize<readonly AnyLifecycle[]>();

/** The machines of an object, in the order in which they step: its own, then those of the entries of its lists. */
export const machinesOn = ({ lifecycles, entries }: Controller, object: KubeObject): readonly AnyLifecycle[] =>
  entries === undefined
    ? lifecycles
    : lastMachines(object, [lifecycles, entries], () => [...lifecycles, ...entryMachines(entries, object)]);
