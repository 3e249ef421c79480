const powers: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const unit = 1_000_000_000n;
/** No real amount has a larger exponent, so a larger one is not a quantity. */
const maxExponent = 30;

const form = /^([+-]?)(\d*)(?:\.(\d*))?((?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?)$/;

/** A Kubernetes quantity in billionths, rounded away from zero; null when it is not one. */
export function quantityOf(value: unknown): bigint | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const [, sign, whole = '', part = '', suffix = ''] = form.exec(String(value)) ?? [];
  if (whole === '' && part === '') return null;
  const { scale, power } = scaleOf(suffix);
  if (Math.abs(power) > maxExponent) return null;
  const nanos = scaled(BigInt(`${whole}${part}`) * unit * scale, power - part.length);
  return sign === '-' ? -nanos : nanos;
}

function scaleOf(suffix: string): { readonly scale: bigint; readonly power: number } {
  const two = binary.indexOf(suffix);
  if (two >= 0) return { scale: 2n ** BigInt(10 * (two + 1)), power: 0 };
  const [, exponent] = /^[eE]([+-]?\d+)$/.exec(suffix) ?? [];
  return { scale: 1n, power: exponent === undefined ? (powers[suffix] ?? 0) : Number(exponent) };
}

function scaled(amount: bigint, power: number): bigint {
  if (power >= 0) return amount * 10n ** BigInt(power);
  const below = 10n ** BigInt(-power);
  return amount / below + (amount % below > 0n ? 1n : 0n);
}

/** Whether two quantities are the same amount, whatever their notation. */
export function isSameAmount(one: unknown, other: unknown): boolean {
  const amount = quantityOf(one);
  return amount !== null && amount === quantityOf(other);
}
