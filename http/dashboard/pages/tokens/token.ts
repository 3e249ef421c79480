import type { ApiToken } from '../../../api.ts';
import { accessOf } from '../../model/access.ts';
import { day } from '../../model/time.ts';

/** The beginning of a token: the part that shows in configurations, and its ID in log lines. */
export const publicPart = ({ kind, id }: Pick<ApiToken, 'kind' | 'id'>): string =>
  `${kind === 'workspace' ? 'gsw' : 'gsp'}_${id}_…`;

/** The access of a token, in words; a project token names its environment. */
export const tokenAccess = ({ role, kind, project, environment }: ApiToken): string =>
  kind === 'workspace'
    ? accessOf({ role })
    : accessOf({ role, project: project ?? '', environment: environment ?? '' });

/** The day of a time, or "never". */
export const dayOrNever = (at: string | undefined): string => (at === undefined ? 'never' : day(Date.parse(at)));
