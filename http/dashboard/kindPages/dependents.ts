import type { Dependent, Summary } from '../../api.ts';
import { useLoaded } from '../store/loaded.ts';
import { ofKinds } from './service/concerns.ts';
import { resourcePath } from '../api.ts';

/** Read at most so often while services are written. */
const paceMs = 1000;
const mayDepend = ofKinds('CoreApp', 'CoreLogicalDatabase', 'CoreObjectStore');

/** What uses a resource, as far as the reader sees it; null until it is read. */
export const useDependents = (of: Pick<Summary, 'kind' | 'name'>): readonly Dependent[] | null =>
  useLoaded(resourcePath(of, '/dependents'), mayDepend, paceMs).value?.items ?? null;
