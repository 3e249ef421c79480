import { objectName } from '../../openapi/kit.ts';

/** What the descriptions of the routes of one service share. */
export const group = 'Services';
export const path = { app: objectName };
export const noService = 'There is no such service, or the token may not see it.';
export const refusals = { 404: noService, 409: 'The service is being deleted.' } as const;
