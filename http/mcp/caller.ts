import type { Identity } from '../api.ts';
import type { ApiClient } from '../apiClient/client.ts';
import { answerOf, object, optional, read, record, text } from '../apiClient/shape.ts';

const identityShape = answerOf<Identity>()(object({ username: text, role: text, scope: text }));
export type CallerIdentity = ReturnType<typeof identityShape>;

/** What the served description says of each route: which caller gets which copy of it, or the status of a refusal. */
const descriptionShape = object({ paths: record(record(object({ 'x-callers': optional(record(text)) }))) });
export type Description = ReturnType<typeof descriptionShape>;

/** The caller of the API; throws an ApiFailure where its token is not valid. */
export const identityOf = async (client: ApiClient): Promise<CallerIdentity> =>
  read(identityShape, await client.ask('GET', '/me'));

/** The routes as the API itself describes them. */
export const descriptionOf = async (client: ApiClient): Promise<Description> =>
  read(descriptionShape, await client.ask('GET', '/openapi.json'));
