import { fieldMs, yearsAfter } from '../../model/time.ts';
import type { Identity, TokenRequest } from '../../../api.ts';

/** The offered expiries of a new token; the last one asks for a day. */
export const expiries = {
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
  '10y': '10 years',
  never: 'never',
  date: 'on a day',
} as const;
export type Expiry = keyof typeof expiries;

export const defaultExpiry: Expiry = '90d';

/** The expiry with this name; the default for any other. */
export const expiryOf = (text: string): Expiry =>
  Object.keys(expiries).find((name): name is Expiry => name === text) ?? defaultExpiry;

/** The choices for a new token. */
export interface Choices {
  readonly name: string;
  readonly reach:
    | { readonly is: 'workspace'; readonly role: Identity['role'] }
    | { readonly is: 'project'; readonly project: string; readonly environment: string };
  readonly expiry: Expiry;
  /** `yyyy-mm-dd`; only used when the expiry is a day. */
  readonly date: string;
}

const dayMs = 86_400_000;
/** The browser's clock may be ahead of the server's, which allows ten years and not a second more. */
const slackMs = 300_000;

/** When a token made now expires: null for never, undefined for an invalid day. A day counts to its end. */
export function expiresAtOf({ expiry, date }: Pick<Choices, 'expiry' | 'date'>, now: number) {
  switch (expiry) {
    case 'never':
      return null;
    case '30d':
      return now + 30 * dayMs;
    case '90d':
      return now + 90 * dayMs;
    case '1y':
      return yearsAfter(now, 1);
    case '10y':
      return yearsAfter(now - slackMs, 10);
    case 'date':
      return endOfDay(date);
  }
}

/** The last second of a day in the chosen zone. */
function endOfDay(date: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(date) ? fieldMs(`${date}T23:59:59`) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** The request to the API; null while the day is missing. */
export function tokenBody(choices: Choices, now: number): TokenRequest | null {
  const { name, reach } = choices;
  const at = expiresAtOf(choices, now);
  if (at === undefined) return null;
  return {
    name: name.trim(),
    ...(reach.is === 'workspace'
      ? { role: reach.role }
      : { project: reach.project.trim(), environment: reach.environment.trim() }),
    expiresAt: at === null ? null : new Date(at).toISOString(),
  };
}

/** The roles a workspace token may have, in the order they are offered. */
export const roles = ['observer', 'viewer', 'admin'] as const;

/** The choices from the fields of the form. */
export function choicesIn(field: (name: string) => string): Choices {
  const reach = field('reach');
  const role = roles.find((one) => one === reach) ?? 'observer';
  return {
    name: field('name'),
    reach:
      reach === 'project'
        ? { is: 'project', project: field('project'), environment: field('environment') }
        : { is: 'workspace', role },
    expiry: expiryOf(field('expiry')),
    date: field('date'),
  };
}
