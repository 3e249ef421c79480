import type { DeviceApproval, DeviceDenial, DeviceReview, Identity } from '../../../api.ts';

/** The preselected choice: reading with logs, for a week (DEV-008, DEV-009). */
export const defaultAccess: Identity['role'] = 'observer';
export const defaultDays = 7;

/**
 * A code as it is shown, `XXXX-XXXX`, in whatever form it was typed; null for a text that cannot be one (decision 115).
 */
export function codeOf(text: string): string | null {
  const letters = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z]{8}$/.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null;
}

/** The state of a request at a moment: it shows an expiry before the server reports it. */
export const stateAt = ({ state, expiresAt }: DeviceReview, now: number): DeviceReview['state'] =>
  (state === 'pending' || state === 'approved') && Date.parse(expiresAt) <= now ? 'expired' : state;

/** The decision of an admin, as the request to the API. */
export type Decision =
  { readonly is: 'approve'; readonly body: DeviceApproval } | { readonly is: 'deny'; readonly body: DeviceDenial };

/** The approval from the fields of the form; a field with a value that is not offered counts as the default. */
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
