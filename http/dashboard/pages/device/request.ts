import type { DeviceApproval, DeviceDenial, DeviceReview, Identity } from '../../../api.ts';

/** Chosen when nothing is: reading with logs, for a week (DEV-008, DEV-009). */
export const defaultAccess: Identity['role'] = 'observer';
export const defaultDays = 7;

/** A code as it is shown, `XXXX-XXXX`, however it was typed; null for what cannot be one (decision 115). */
export function codeOf(text: string): string | null {
  const letters = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z]{8}$/.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null;
}

/** How a request stands at a moment: what has waited too long has expired before the server says so. */
export const stateAt = ({ state, expiresAt }: DeviceReview, now: number): DeviceReview['state'] =>
  (state === 'pending' || state === 'approved') && Date.parse(expiresAt) <= now ? 'expired' : state;

/** What an admin decides, as it is asked of the API. */
export type Decision =
  { readonly is: 'approve'; readonly body: DeviceApproval } | { readonly is: 'deny'; readonly body: DeviceDenial };

/** The approval that the fields of the form make; a field that holds nothing of what is offered counts as the default. */
export const approval = (request: DeviceReview, field: (name: string) => string): Decision => ({
  is: 'approve',
  body: {
    code: request.user_code,
    access: request.accesses.find((role) => role === field('access')) ?? defaultAccess,
    days: request.lifetimes.find((days) => String(days) === field('days')) ?? defaultDays,
  },
});

/** The refusal of a sign-in. */
export const denial = ({ user_code: code }: DeviceReview): Decision => ({ is: 'deny', body: { code } });
