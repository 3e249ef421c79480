import type { Identity } from '../../../api.ts';
import { accessOf } from '../../words/access.ts';
import { day } from '../../words/time.ts';

/** One API token as GET /api/v1/tokens lists it. */
export interface ApiToken {
  readonly id: string;
  readonly name: string;
  readonly kind: 'workspace' | 'project';
  readonly role: Identity['role'];
  /** Of a project token only. */
  readonly project?: string;
  readonly environment?: string;
  readonly createdAt: string;
  readonly createdBy: string;
  /** Absent for a token that never expires. */
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
  readonly expired: boolean;
}

/** A token as it is told once, with its secret (AUT-026). */
export interface NewToken extends ApiToken {
  readonly token: string;
}

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
