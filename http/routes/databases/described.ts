import { objectName } from '../../openapi/kit.ts';

/** What the descriptions of the routes of a database share. */
export const path = { database: objectName };
export const noDatabase = 'There is no such database.';
