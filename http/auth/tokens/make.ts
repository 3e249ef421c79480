import { Effect } from 'effect';
import type { Caller, Role, Scope } from '../../../rules/access/caller.ts';
import type { ServerContext } from '../../context.ts';
import { transitionToken } from './lifecycle.ts';
import { auditOf, kindOf, tokenData, type TokenRecord } from './records.ts';
import { drawId, drawSecret, hashOf, writeToken } from './text.ts';
import type { Vault, Writing } from './vault.ts';

/** The properties requested for a new token. */
export interface NewToken {
  readonly name: string;
  readonly role: Role;
  readonly scope: Scope | null;
  readonly projectUid: string | null;
  readonly expiresAt: number | null;
}

/** A token that an approved device collects; its identifier was drawn at the approval (decision 116). */
interface Collection {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly days: number;
  readonly approver: string;
}

/** A token with its text, which is shown only once. */
interface Minted {
  readonly record: TokenRecord;
  readonly text: string;
}

type Created = ({ readonly is: 'created' } & Minted) | { readonly is: 'refused'; readonly message: string };

/** Creation of tokens: specs/tables/token.md, Absence. */
export interface TokenMaking {
  readonly create: (token: NewToken, by: Caller) => Writing<Created>;
  readonly collect: (approved: Collection) => Writing<Minted>;
  /** An identifier that no token has, and that is not reserved. */
  readonly freeId: (reserved: ReadonlySet<string>) => string;
}

const dayMs = 86_400_000;

export function makeTokenMaking({ now, log, random }: ServerContext, vault: Vault): TokenMaking {
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

  return {
    freeId: (reserved) => unlike((id) => reserved.has(id) || vault.held().isTaken(id)),

    create: (token, by) =>
      Effect.gen(function* () {
        const createdAt = now();
        const decider = { with: by.with, role: by.role };
        const creation = { is: 'create', by: decider, expiresAt: token.expiresAt } as const;
        const { event, actions, text } = transitionToken(undefined, creation, createdAt);
        if (event !== 'created') return { is: 'refused', message: text };
        const minted = yield* vault.change(({ isTaken }) => {
          const fresh = mint({ ...token, id: unlike(isTaken), createdAt, createdBy: by.username });
          return { keys: tokenData(fresh.record), result: fresh };
        });
        if (actions.includes('logCreation')) log('info', 'created API token', auditOf(minted.record, by.username));
        return { is: 'created', ...minted };
      }),

    collect: ({ id, name, role, days, approver }) =>
      Effect.suspend(() => {
        const createdAt = now();
        const { event, text } = transitionToken(undefined, { is: 'collect', lifetimeDays: days }, createdAt);
        if (event !== 'collected') throw new Error(`a token was approved that cannot be: ${text}`);
        const kept = { createdAt, createdBy: approver, expiresAt: createdAt + days * dayMs };
        const minted = mint({ id, name, role, scope: null, projectUid: null, ...kept });
        return vault.change(() => ({ keys: tokenData(minted.record), result: minted }));
      }),
  };
}
