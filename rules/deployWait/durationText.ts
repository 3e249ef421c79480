const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A duration as it is given on the command line: `10m`, `1h30m`, `45s`; parts of a second are left out. */
export function durationText(ms: number): string {
  let rest = Math.max(ms, 0);
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? `${count}${unit}` : '';
  });
  return parts.join('') || '0s';
}
