import type { ApiToken } from '../../../api.ts';
import { accessOf } from '../../words/access.ts';
import { day } from '../../words/time.ts';

/** How a token begins: what is seen of it in a configuration, and its ID in the log lines. */
export const publicPart = ({ kind, id }: Pick<ApiToken, 'kind' | 'id'>): string =>
  `${kind === 'workspace' ? 'gsw' : 'gsp'}_${id}_…`;

/** What a token may do, in words; a project token names its environment. */
export const tokenAccess = ({ role, kind, project, environment }: ApiToken): string =>
  kind === 'workspace'
    ? accessOf({ role })
    : accessOf({ role, project: project ?? '', environment: environment ?? '' });

/** The day of a time, or that it never comes. */
export const dayOrNever = (at: string | undefined): string => (at === undefined ? 'never' : day(Date.parse(at)));
