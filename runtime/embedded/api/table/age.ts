/** A duration in the short form that kubectl prints: `5s`, `2m30s`, `3h`, `4d2h`. */
export function shortDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return joined(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return joined(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return joined(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  if (years < 8) return joined(years, 'y', days % 365, 'd');
  return `${years}y`;
}

const joined = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;

/** How long ago a time was. */
export function age(time: unknown, now = Date.now()): string {
  if (typeof time !== 'string' || time === '') return '<unknown>';
  const at = Date.parse(time);
  return Number.isNaN(at) ? '<invalid>' : shortDuration(now - at);
}
