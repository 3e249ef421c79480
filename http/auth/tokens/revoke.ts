import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { Caller } from '../../../rules/access/caller.ts';
import type { SecretChange } from '../../../runtime/cache/secret.ts';
import type { ServerContext } from '../../context.ts';
import { losesHash, transitionToken } from './lifecycle.ts';
import { auditOf, belongsTo, type Deletion, deletionText, type TokenRecord, withoutTokens } from './records.ts';
import type { Vault, Writing } from './vault.ts';

type Revoked =
  | { readonly is: 'revoked'; readonly record: TokenRecord }
  | { readonly is: 'refused'; readonly message: string }
  | { readonly is: 'unknown' };

/** Revocation of tokens. */
export interface TokenRevoking {
  readonly revoke: (id: string, by: Caller) => Writing<Revoked>;
  /** Revokes the tokens of a project that is being deleted, or of which this environment is. */
  readonly revokeOfProject: (project: KubeObject, environment?: string) => Writing<void>;
}

export function makeTokenRevoking({ now, log }: ServerContext, vault: Vault): TokenRevoking {
  const revocation = (record: TokenRecord | undefined, by: Caller): SecretChange<Revoked> => {
    if (!record) return { keys: null, result: { is: 'unknown' } };
    const decider = { with: by.with, role: by.role };
    const { actions, text } = transitionToken(record, { is: 'revoke', by: decider }, now());
    return actions.includes('dropHash')
      ? { keys: withoutTokens([record]), result: { is: 'revoked', record } }
      : { keys: null, result: { is: 'refused', message: text } };
  };

  return {
    revoke: (id, by) =>
      Effect.map(
        vault.change(({ tokens }) => revocation(tokens.get(id), by)),
        (revoked) => {
          if (revoked.is === 'revoked') log('info', 'revoked API token', auditOf(revoked.record, by.username));
          return revoked;
        },
      ),

    revokeOfProject: (project, environment) => {
      const { name } = project.metadata;
      const deletion: Deletion =
        environment === undefined
          ? { is: 'deleteProject', project: name }
          : { is: 'deleteEnvironment', project: name, environment };
      return Effect.map(
        vault.change(({ tokens }) => {
          const own = [...tokens.values()]
            .filter((one) => belongsTo(one, project))
            .filter(({ scope }) => environment === undefined || scope?.environment === environment);
          const revoked = own.filter((one) => losesHash(one, deletion, now()));
          return { keys: revoked.length > 0 ? withoutTokens(revoked) : null, result: revoked };
        }),
        (revoked) => {
          for (const record of revoked) log('info', 'revoked API token', auditOf(record, deletionText[deletion.is]));
        },
      );
    },
  };
}
