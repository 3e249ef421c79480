import { Effect } from 'effect';
import type { Caller } from '../../../rules/access/caller.ts';
import type { SecretChange } from '../../../runtime/services/secret.ts';
import type { Serving } from '../../serving.ts';
import { tokenHappens } from './lifecycle.ts';
import { auditOf, type TokenRecord } from './records.ts';
import type { Vault, Writing } from './vault.ts';

/** A project that is gone; without a uid whichever had the name. */
export interface GoneProject {
  readonly name: string;
  readonly uid: string | null;
}

export type Revoked =
  | { readonly is: 'revoked'; readonly record: TokenRecord }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'unknown' };

/** How tokens end before their time. */
export interface TokenRevoking {
  readonly revoke: (id: string, by: Caller) => Writing<Revoked>;
  /** Revokes every token of a project that was deleted; doing it again does nothing. */
  readonly revokeOfProject: (project: GoneProject) => Writing<void>;
}

export function makeTokenRevoking({ now, log }: Serving, vault: Vault): TokenRevoking {
  const audit = (record: TokenRecord, by: string) => log('info', 'Revoked an API token', auditOf(record, by));

  const revocation = (record: TokenRecord | undefined, by: Caller): SecretChange<Revoked> => {
    if (!record) return { keys: null, told: { is: 'unknown' } };
    const decider = { with: by.with, role: by.role };
    const { actions, text } = tokenHappens(record, { is: 'revoke', by: decider }, now());
    return actions.includes('dropHash')
      ? { keys: { [record.id]: null }, told: { is: 'revoked', record } }
      : { keys: null, told: { is: 'refused', why: text } };
  };

  const isGoneWith = (record: TokenRecord, { name, uid }: GoneProject): boolean => {
    const { scope, projectUid } = record;
    // Another project may have got the name since, and has tokens of its own.
    if (scope?.project !== name || (uid !== null && projectUid !== null && projectUid !== uid)) return false;
    return tokenHappens(record, { is: 'deleteProject', project: name }, now()).actions.includes('dropHash');
  };

  return {
    revoke: (id, by) =>
      Effect.map(
        vault.change(({ tokens }) => revocation(tokens.get(id), by)),
        (revoked) => {
          if (revoked.is === 'revoked') audit(revoked.record, by.username);
          return revoked;
        },
      ),

    revokeOfProject: (project) =>
      Effect.map(
        vault.change(({ tokens }) => {
          const gone = [...tokens.values()].filter((record) => isGoneWith(record, project));
          return { keys: gone.length === 0 ? null : Object.fromEntries(gone.map(({ id }) => [id, null])), told: gone };
        }),
        (gone) => {
          for (const record of gone) audit(record, 'the deletion of its project');
        },
      ),
  };
}
