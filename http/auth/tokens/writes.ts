import { Effect } from 'effect';
import type { Caller, Role, Scope } from '../../../rules/access/caller.ts';
import type { Cluster } from '../../../runtime/services/cluster.ts';
import type { Serving } from '../../serving.ts';
import { tokenHappens } from './lifecycle.ts';
import { kindOf, tokenData, type TokenRecord } from './records.ts';
import { drawId, drawSecret, hashOf, writeToken } from './text.ts';
import type { Held, TokenFailure, Vault } from './vault.ts';

/** What somebody asks a new token to be. */
export interface NewToken {
  readonly name: string;
  readonly role: Role;
  readonly scope: Scope | null;
  readonly projectUid: string | null;
  readonly expiresAt: number | null;
}

/** A token that an approved device collects; its identifier was drawn at the approval (decision 116). */
export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly days: number;
  readonly approver: string;
}

/** A token with its text, which nobody is shown again. */
export interface Minted {
  readonly record: TokenRecord;
  readonly text: string;
}

/** A project that is gone; without a uid whichever had the name. */
export interface GoneProject {
  readonly name: string;
  readonly uid: string | null;
}

export type Created = ({ readonly is: 'created' } & Minted) | { readonly is: 'refused'; readonly why: string };
export type Revoked =
  | { readonly is: 'revoked'; readonly record: TokenRecord }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'unknown' };

type Writing<A> = Effect.Effect<A, TokenFailure, Cluster>;

/** How tokens come and go; each by a row of specs/tables/token.md. */
export interface TokenWrites {
  readonly create: (asked: NewToken, by: Caller) => Writing<Created>;
  readonly collect: (approved: Collection) => Writing<Minted>;
  readonly revoke: (id: string, by: Caller) => Writing<Revoked>;
  /** Revokes every token of a project that was deleted; doing it again does nothing. */
  readonly revokeOfProject: (project: GoneProject) => Writing<void>;
  /** An identifier that no token has, and none of these. */
  readonly freeId: (reserved: ReadonlySet<string>) => string;
}

const dayMs = 86_400_000;

export function makeTokenWrites({ now, log, random }: Serving, vault: Vault): TokenWrites {
  const unlike = (isTaken: (id: string) => boolean): string => {
    for (;;) {
      const id = drawId(random);
      if (!isTaken(id)) return id;
    }
  };
  const mint = (facts: Omit<TokenRecord, 'hash' | 'lastUsedAt'>): Minted => {
    const secret = drawSecret(random);
    const record: TokenRecord = { ...facts, hash: hashOf(secret), lastUsedAt: null };
    return { record, text: writeToken({ kind: kindOf(record), id: record.id, secret }) };
  };

  const revoke = (id: string, by: Caller): Writing<Revoked> => {
    let outcome: Revoked = { is: 'unknown' };
    const follow = ({ tokens }: Held) => {
      const record = tokens.get(id);
      outcome = record ? revocation(record, by, now()) : { is: 'unknown' };
      return outcome.is === 'revoked' ? { [id]: null } : null;
    };
    return vault.change(follow).pipe(
      Effect.map(() => outcome),
      Effect.tap((done) =>
        Effect.sync(() => {
          if (done.is === 'revoked') log('info', 'Revoked an API token', told(done.record, by.username));
        }),
      ),
    );
  };

  return {
    create: (asked, by) => {
      const { event, actions, text } = tokenHappens(
        undefined,
        { is: 'create', by: { with: by.with, role: by.role }, expiresAt: asked.expiresAt },
        now(),
      );
      if (event !== 'created') return Effect.succeed({ is: 'refused', why: text });
      let minted: Minted | null = null;
      const stored = vault.change(({ isTaken }) => {
        minted = mint({ ...asked, id: unlike(isTaken), createdAt: now(), createdBy: by.username });
        return tokenData(minted.record);
      });
      return Effect.map(stored, (): Created => {
        if (minted === null) throw new Error('a token was stored that was never minted');
        if (actions.includes('logCreation')) log('info', 'Created an API token', told(minted.record, by.username));
        return { is: 'created', ...minted };
      });
    },

    collect: ({ id, name, role, days, approver }) => {
      const createdAt = now();
      const { event, text } = tokenHappens(undefined, { is: 'collect', lifetimeDays: days }, createdAt);
      if (event !== 'collected') throw new Error(`a token was approved that cannot be: ${text}`);
      const kept = { createdAt, createdBy: approver, expiresAt: createdAt + days * dayMs };
      const minted = mint({ id, name, role, scope: null, projectUid: null, ...kept });
      return Effect.as(
        vault.change(() => tokenData(minted.record)),
        minted,
      );
    },

    revoke,

    revokeOfProject: ({ name, uid }) => {
      let gone: readonly TokenRecord[] = [];
      const isOfIt = ({ scope, projectUid }: TokenRecord) =>
        scope?.project === name && (uid === null || projectUid === null || projectUid === uid);
      const follow = ({ tokens }: Held) => {
        gone = [...tokens.values()]
          .filter(isOfIt)
          .filter((record) =>
            tokenHappens(record, { is: 'deleteProject', project: name }, now()).actions.includes('dropHash'),
          );
        return gone.length === 0 ? null : Object.fromEntries(gone.map(({ id }) => [id, null]));
      };
      return Effect.map(vault.change(follow), () => {
        for (const record of gone) log('info', 'Revoked an API token', told(record, 'the deletion of its project'));
      });
    },

    freeId: (reserved) => unlike((id) => reserved.has(id) || vault.held().isTaken(id)),
  };
}

function revocation(record: TokenRecord, by: Caller, now: number): Revoked {
  const { actions, text } = tokenHappens(record, { is: 'revoke', by: { with: by.with, role: by.role } }, now);
  return actions.includes('dropHash') ? { is: 'revoked', record } : { is: 'refused', why: text };
}

/** What the operator's log tells of a token: never anything of its secret (document 002, Audit behavior). */
const told = ({ id, name, role, scope }: TokenRecord, by: string) => ({
  tokenId: id,
  name,
  ...(scope ?? { role }),
  by,
});
