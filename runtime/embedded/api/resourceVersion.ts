import { type StatusError as Refusal, StatusError } from './status.ts';

/** Why a text is no version. */
export const notUint = (text: string) => `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

const refusal = (why: string): Refusal => new StatusError(500, '', why);

/** A resourceVersion in a query; 0 when there is none. */
export function revisionOf(text: string | null, refuse = refusal): number {
  if (text === null || text === '') return 0;
  if (!/^\d+$/.test(text)) throw refuse(`resourceVersion: Invalid value: ${JSON.stringify(text)}: ${notUint(text)}`);
  return Number(text);
}
