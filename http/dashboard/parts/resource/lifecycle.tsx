import { Lifecycle } from '../lifecycle.tsx';
import type { ResourceReading } from './reading.ts';

interface ResourceLifecycleProps {
  readonly reading: ResourceReading;
  /** The plural noun, for sentences. */
  readonly what: string;
}

/** The machines of a resource and all their moves. */
export const ResourceLifecycle = ({ reading: { id, name, pathOf, explained }, what }: ResourceLifecycleProps) => (
  <Lifecycle id={id} name={name} what={what} path={pathOf('transitions')} explained={explained} />
);
