/** What a request remembers of its polls (decision 147). */
export interface DevicePolls {
  readonly intervalMs: number;
  readonly lastPollAt: number | null;
}

/** How a client polls (document 002, Limits). */
export const devicePace = { intervalMs: 5_000, slowDownMs: 5_000 } as const;

/** Of a request that was just issued. */
export const firstPolls: DevicePolls = { intervalMs: devicePace.intervalMs, lastPollAt: null };

/** After a poll. */
export const polledAt = (polls: DevicePolls, now: number): DevicePolls => ({ ...polls, lastPollAt: now });

/** Neither was issued nor polled later than now, whatever a clock said that was set back. */
export const reckonedFrom = <T extends DevicePolls & { readonly issuedAt: number }>(request: T, now: number): T => ({
  ...request,
  issuedAt: Math.min(request.issuedAt, now),
  lastPollAt: request.lastPollAt === null ? null : Math.min(request.lastPollAt, now),
});

/** After a poll was answered `slow_down`. */
export const slowedDown = (polls: DevicePolls): DevicePolls => ({
  ...polls,
  intervalMs: polls.intervalMs + devicePace.slowDownMs,
});

/** The access a device gets: what the approver chose, else read-only with logs. */
export const grantedAccess = (chosen: string | null): string => chosen ?? 'observer';
