/** A number as Go writes one with the fewest digits that tell it from others. */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return value.toLocaleString('en-US', plainly);
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const plainly = { useGrouping: false, maximumFractionDigits: 20, maximumSignificantDigits: 17 } as const;
