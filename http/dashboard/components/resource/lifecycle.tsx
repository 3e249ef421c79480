import { Lifecycle } from '../lifecycle.tsx';
import type { ResourceReading } from './reading.ts';
import { resourcePath } from '../../api.ts';

interface ResourceLifecycleProps {
  readonly reading: ResourceReading;
  /** The plural noun, for sentences. */
  readonly what: string;
  /** The one machine that it is about, where the page is about one. */
  readonly only?: string;
}

/** The machines of a resource and all their moves. */
export const ResourceLifecycle = ({ reading: { id, name, of, explained }, ...shown }: ResourceLifecycleProps) => (
  <Lifecycle id={id} name={name} path={resourcePath(of, '/transitions')} explained={explained} {...shown} />
);
