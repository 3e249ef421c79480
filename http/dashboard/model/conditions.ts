import type { Read } from '../../api.ts';

/** What the conditions of a resource say, as one text: another once its controller has looked at what was saved. */
export const conditionsIn = ({ status }: Read): string => JSON.stringify(status['conditions'] ?? null);
