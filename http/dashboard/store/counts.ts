import type { StreamEvent } from '../../api.ts';
import { machineOfKind } from '../model/resourceFilter.ts';
import { useLoaded } from './loaded.ts';
import { withQuery, pathTo } from '../api.ts';

/** Counts are read at most so often while resources change. */
const paceMs = 1000;

/** Every change may be a move out of what is counted, which the notice does not say. */
const isCounted = ({ event, data }: StreamEvent): boolean => event === 'change' && data.kind in machineOfKind;

/** What each environment holds, of a project where one is given; the server counts. */
export const useEnvironmentCounts = (project?: string) =>
  useLoaded(
    withQuery(pathTo('GET /counts/environments', {}), project === undefined ? {} : { project }),
    isCounted,
    paceMs,
  );

/** How many resources there are of each kind, in a place where one is given; nothing is read for null. */
export const useKindCounts = (place: Partial<Record<'project' | 'environment', string>> | null) =>
  useLoaded(place && withQuery(pathTo('GET /counts/kinds', {}), place), isCounted, paceMs);
