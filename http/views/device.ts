import type { DeviceSignInState } from '../../machines/names.ts';
import { deviceLimits } from '../../rules/deviceSignIn/events.ts';
import { isoTime } from '../../rules/time.ts';
import { shownUserCode } from '../auth/device/codes.ts';
import type { DeviceRequest } from '../auth/device/requests.ts';

const states = {
  Pending: 'pending',
  Approved: 'approved',
  Refused: 'refused',
  Issued: 'issued',
  Expired: 'expired',
} as const satisfies Record<DeviceSignInState, string>;

/** The state of a sign-in. */
export const deviceDecision = ({ userCode, state }: DeviceRequest) => ({
  user_code: shownUserCode(userCode),
  state: states[state],
});

/** The request for an approver, with the allowed choices; the first access is the default. */
export const deviceReview = (request: DeviceRequest) => ({
  ...deviceDecision(request),
  client: request.client,
  address: request.address,
  issuedAt: isoTime(request.issuedAt),
  expiresAt: isoTime(request.issuedAt + deviceLimits.lifetimeMs),
  accesses: ['observer', 'viewer', 'admin'] as const,
  lifetimes: [deviceLimits.shortDays, deviceLimits.middleDays, deviceLimits.longDays],
});
