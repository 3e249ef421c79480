const scales: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A Kubernetes quantity in thousandths of its unit, rounded up; what is no quantity counts as nothing. */
export function milli(quantity: string | number | undefined): number {
  const [, digits = '', suffix = ''] = /^(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(quantity)) ?? [];
  const scale = scales[suffix];
  // Binary fractions such as 0.1 * 1000 must not be rounded up to the next thousandth.
  return digits === '' || scale === undefined ? 0 : Math.ceil(Number((Number(digits) * scale * 1000).toPrecision(15)));
}
