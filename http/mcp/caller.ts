import type { Identity } from '../api.ts';
import type { ApiClient } from '../apiClient/client.ts';
import type { Description } from './offered.ts';

/** The caller of the API; throws an ApiFailure where its token is not valid. */
export const identityOf = async (client: ApiClient): Promise<Identity> => (await client.ask('GET', '/me')) as Identity;

/** The routes as the API itself describes them. */
export const descriptionOf = async (client: ApiClient): Promise<Description> =>
  (await client.ask('GET', '/openapi.json')) as Description;
