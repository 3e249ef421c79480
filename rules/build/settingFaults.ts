import { open } from '../words.ts';
import type { BuildFacts } from './facts.ts';
import { registryMissing } from './registry.ts';
import { sourcePath } from './sourcePath.ts';

export const noRegistry = ({ registry }: Pick<BuildFacts, 'registry'>): boolean => registry === '';

export const contextLeaves = ({ context, buildfile }: Pick<BuildFacts, 'context' | 'buildfile'>): boolean =>
  sourcePath(context, buildfile).is === 'leaves';

/** Without a connection a branch cannot be resolved and checks cannot be read (decision 44). */
export const lacksConnection = ({
  connectionRef,
  revision,
  waitForCI,
}: Pick<BuildFacts, 'connectionRef' | 'revision' | 'waitForCI'>): boolean =>
  connectionRef === '' && (revision === '' || waitForCI);

export const registryMessage = () => registryMissing;
export const contextMessage = () => open('build context path leaves the repository');
export const connectionMessage = () => open('GitHost connection reference is required to resolve a branch');
