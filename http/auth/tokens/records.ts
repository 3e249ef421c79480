import { isObject } from '../../../rules/json.ts';
import type { TokenState } from '../../../machines/names.ts';
import type { Role, Scope } from '../../../rules/access/caller.ts';
import type { Absence } from '../../../rules/engine.ts';
import { isoTime, msOf } from '../../../rules/time.ts';
import type { TokenAsked } from '../../../rules/token/facts.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import type { LogFields } from '../../../runtime/services/log.ts';
import type { SecretKeys } from '../../../runtime/services/secret.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { encode } from '../directory.ts';
import { isSecretHash, type TokenKind } from './text.ts';

/** The Secret in core-system that holds the API tokens, one key per public identifier (decision 108). */
export const tokenSecret = 'core-api-tokens';

/** The record of a token, without its secret. Times are ms since the epoch. */
export interface TokenRecord {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Null for a token of the workspace. */
  readonly scope: Scope | null;
  /** The uid of its project: another project may get the same name later. */
  readonly projectUid: string | null;
  /** SHA-256 of the secret. */
  readonly hash: string;
  readonly createdAt: number;
  /** The name of its creator at that time: the token is not tied to the account. */
  readonly createdBy: string;
  /** Null for a token that never expires. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export const kindOf = ({ scope }: Pick<TokenRecord, 'scope'>): TokenKind => (scope === null ? 'workspace' : 'project');

/** The fields of a token in the operator's log, without its secret (document 002, Audit behavior). */
export const auditOf = ({ id, name, role, scope }: TokenRecord, by: string): LogFields => ({
  tokenId: id,
  name,
  ...(scope ?? { role }),
  by,
});

/** A deletion that revokes project tokens. */
export type Deletion = Extract<TokenAsked, { readonly is: 'deleteProject' | 'deleteEnvironment' }>;

/** What revokes the tokens of a deleted project or environment, in the operator's log. */
export const deletionText = {
  deleteProject: 'the deletion of its project',
  deleteEnvironment: 'the deletion of its environment',
} as const satisfies Record<Deletion['is'], string>;

/** Whether a token was made for this project: another one may have had its name, or have it by now. */
export const belongsTo = ({ scope, projectUid }: TokenRecord, { metadata: { name, uid } }: KubeObject): boolean =>
  scope?.project === name && (projectUid === null || projectUid === uid);

/** How the state is stored: specs/tables/token.md. */
export function stateOf(record: TokenRecord | undefined, now: number): TokenState | Absence {
  if (!record) return '(none)';
  return record.expiresAt !== null && now >= record.expiresAt ? 'Expired' : 'Active';
}

const read = new WeakMap<Secret, ReadonlyMap<string, TokenRecord>>();
const none: ReadonlyMap<string, TokenRecord> = new Map();

/** Parses the Secret, each version once. A malformed key counts as absent. */
export function tokensOf(secret: Secret | undefined): ReadonlyMap<string, TokenRecord> {
  if (!secret) return none;
  const known = read.get(secret);
  if (known) return known;
  const records = Object.keys(secret.data ?? {}).flatMap((id): readonly [string, TokenRecord][] => {
    const record = recordOf(id, secretText(secret, id));
    return record ? [[id, record]] : [];
  });
  const tokens = new Map(records);
  read.set(secret, tokens);
  return tokens;
}

/** The Secret's data with one token set. */
export const tokenData = (record: TokenRecord): Readonly<Record<string, string>> => {
  const { id, name, role, scope, projectUid, hash, createdAt, createdBy, expiresAt, lastUsedAt } = record;
  const text = JSON.stringify({
    name,
    ...(scope ?? { role }),
    ...(projectUid === null ? {} : { projectUid }),
    hash,
    createdAt: isoTime(createdAt),
    createdBy,
    ...(expiresAt === null ? {} : { expiresAt: isoTime(expiresAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: isoTime(lastUsedAt) }),
  });
  return { [id]: encode(text) };
};

/** The Secret's data without these tokens. */
export const withoutTokens = (records: readonly TokenRecord[]): SecretKeys =>
  Object.fromEntries(records.map(({ id }) => [id, null]));

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** A time; null where there is none, NaN where it is malformed. */
const timeIn = (value: unknown): number | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? msOf(value) : Number.NaN;

function recordOf(id: string, text: string): TokenRecord | null {
  const fields = parse(text);
  const { name, hash, createdBy, projectUid } = fields;
  const holder = holderIn(fields);
  const [createdAt, expiresAt, lastUsedAt] = [fields['createdAt'], fields['expiresAt'], fields['lastUsedAt']].map(
    timeIn,
  );
  if (!/^[a-z2-7]{10}$/.test(id) || !isText(name) || !isSecretHash(hash) || holder === null) return null;
  // An unreadable expiry must not make a token that never expires.
  if (typeof createdAt !== 'number' || Number.isNaN(createdAt) || expiresAt === undefined || Number.isNaN(expiresAt))
    return null;
  return {
    id,
    name,
    hash,
    ...holder,
    projectUid: isText(projectUid) ? projectUid : null,
    createdAt,
    createdBy: isText(createdBy) ? createdBy : '',
    expiresAt,
    lastUsedAt: lastUsedAt === undefined || Number.isNaN(lastUsedAt) ? null : lastUsedAt,
  };
}

/**
 * The permissions of a token: a role over the workspace, or one environment of a project, where it acts as an admin
 * would.
 */
function holderIn({ role, project, environment }: Fields): Pick<TokenRecord, 'role' | 'scope'> | null {
  if (project !== undefined || environment !== undefined)
    return isText(project) && isText(environment) ? { role: 'admin', scope: { project, environment } } : null;
  return role === 'admin' || role === 'observer' || role === 'viewer' ? { role, scope: null } : null;
}
