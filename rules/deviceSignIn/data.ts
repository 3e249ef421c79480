/** The polling state that a request keeps (decision 147). */
export interface DevicePolls {
  readonly intervalMs: number;
  readonly lastPollAt: number | null;
}

/** The polling interval of a client (document 002, Limits). */
export const devicePace = { intervalMs: 5_000, slowDownMs: 5_000 } as const;

/** The polling state of a new request. */
export const firstPolls: DevicePolls = { intervalMs: devicePace.intervalMs, lastPollAt: null };

/** The polling state after a poll. */
export const polledAt = (polls: DevicePolls, now: number): DevicePolls => ({ ...polls, lastPollAt: now });

/** Moves times of issue and poll that lie in the future back to now, because the clock may have been set back. */
export const reckonedFrom = <T extends DevicePolls & { readonly issuedAt: number }>(request: T, now: number): T => ({
  ...request,
  issuedAt: Math.min(request.issuedAt, now),
  lastPollAt: request.lastPollAt === null ? null : Math.min(request.lastPollAt, now),
});

/** The polling state after a `slow_down` response. */
export const slowedDown = (polls: DevicePolls): DevicePolls => ({
  ...polls,
  intervalMs: polls.intervalMs + devicePace.slowDownMs,
});

/** The access of a device: the approver's choice, otherwise read-only with logs. */
export const grantedAccess = (chosen: string | null): string => chosen ?? 'observer';
