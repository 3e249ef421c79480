import type { Identity } from '../api.ts';
import type { ApiClient } from '../apiClient/client.ts';
import { type Allowed, callerOf, type Description, granted, offered } from './offered.ts';
import { tools } from './tools/all.ts';
import type { Tool } from './tool.ts';

/** The caller of the API; throws an ApiFailure where its token is not valid. */
export const identityOf = async (client: ApiClient): Promise<Identity> => (await client.ask('GET', '/me')) as Identity;

/** The tools that a caller may use, as the API itself describes its routes. */
export async function toolsFor(client: ApiClient, identity: Identity, allowed: Allowed): Promise<readonly Tool[]> {
  const description = (await client.ask('GET', '/openapi.json')) as Description;
  return offered(tools, granted(description, callerOf(identity)), allowed);
}
