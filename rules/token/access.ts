import type { VerdictRule } from '../verdict.ts';

/** What a token may do. */
export interface AccessSeen {
  readonly role: 'admin' | 'observer' | 'viewer';
  /** The environment of a project that it is for; null for a token of the workspace. */
  readonly scope: { readonly project: string; readonly environment: string } | null;
}

/** The access level that a sign-in reports. */
export const tokenAccess: readonly VerdictRule<AccessSeen, string>[] = [
  {
    reason: 'ProjectToken',
    status: 'True',
    when: ({ scope }) => scope !== null,
    message: ({ scope }) => `project token for ${scope?.project}/${scope?.environment}`,
  },
  { reason: 'Admin', status: 'True', when: ({ role }) => role === 'admin', message: () => 'admin' },
  {
    reason: 'Observer',
    status: 'True',
    when: ({ role }) => role === 'observer',
    message: () => 'read-only, with logs',
  },
  { reason: 'Viewer', status: 'True', when: () => true, message: () => 'read-only' },
];
