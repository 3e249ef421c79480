import type { Stored } from '../store.ts';
import { type Pod, isOver } from './shapes.ts';

/** A change for this very pod, as long as it runs; another one of its name is left alone. */
export const samePod =
  (pod: Pod, change: (old: Pod) => Pod) =>
  (old: Stored): Stored =>
    old.metadata.uid === pod.metadata.uid && !isOver(old as Pod) ? change(old as Pod) : old;
