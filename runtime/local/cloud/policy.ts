import type { CloudState, Key } from './state.ts';
import { userId } from './state.ts';
import { refused } from './refusal.ts';

interface Statement {
  readonly Effect?: unknown;
  readonly Action?: unknown;
  readonly Resource?: unknown;
}

const listOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string');

/** `*` stands for any text, `?` for any character. */
function matches(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  const source = escaped.replaceAll('*', '[^]*').replaceAll('?', '[^]');
  return new RegExp(`^${source}$`, 'u').test(text);
}

function statementsOf(document: string): readonly Statement[] {
  try {
    const { Statement: found } = JSON.parse(document) as { readonly Statement?: unknown };
    return (Array.isArray(found) ? found : [found]).filter(
      (one): one is Statement => typeof one === 'object' && one !== null,
    );
  } catch {
    return [];
  }
}

/** Whether policies allow an action on a resource: a denial wins, and the default is denial. */
function allows(documents: readonly string[], action: string, resource: string): boolean {
  const about = documents
    .flatMap(statementsOf)
    .filter(
      ({ Action, Resource }) =>
        listOf(Action).some((one) => matches(one.toLowerCase(), action.toLowerCase())) &&
        listOf(Resource).some((one) => matches(one, resource)),
    );
  return about.some(({ Effect }) => Effect === 'Allow') && !about.some(({ Effect }) => Effect === 'Deny');
}

export const bucketArn = (bucket: string): string => `arn:aws:s3:::${bucket}`;
export const objectArn = (bucket: string, key: string): string => `arn:aws:s3:::${bucket}/${key}`;
export const userArn = (account: string, user: string): string => `arn:aws:iam::${account}:user/${user}`;

/** Refuses an action that the owner of a key may not perform; the account's own keys may do everything. */
export function authorize(state: CloudState, { account, user }: Key, action: string, resource: string): void {
  if (user === null) return;
  const policies = [...(state.users.get(userId(account, user))?.policies.values() ?? [])];
  if (!allows(policies, action, resource)) throw refused.denied(action);
}
