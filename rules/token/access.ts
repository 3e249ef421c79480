import type { VerdictRule } from '../verdict.ts';

/** The access of a token. */
export interface AccessSeen {
  readonly role: 'admin' | 'observer' | 'viewer';
  /** Its project environment; null for a workspace token. */
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
