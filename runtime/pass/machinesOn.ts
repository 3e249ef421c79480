import type { KubeObject } from '../../crds/kind.ts';
import { entryMachines } from '../entries.ts';
import type { AnyLifecycle, Controller } from '../lifecycle.ts';

/** The machines of an object, in the order in which they step: its own, then those of the entries of its lists. */
export const machinesOn = ({ lifecycles, entries }: Controller, object: KubeObject): readonly AnyLifecycle[] =>
  entries === undefined ? lifecycles : [...lifecycles, ...entryMachines(entries, object)];
