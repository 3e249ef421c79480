type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** What remains of red, green and blue when one kind of cone is missing (Machado, Oliveira and Fernandes 2009). */
const matrices = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const satisfies Readonly<Record<string, Matrix>>;

export type Sight = keyof typeof matrices;
export const sights = Object.keys(matrices) as readonly Sight[];

const toXyz: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
];
const white: Triple = [0.95047, 1, 1.08883];

const times = (matrix: Matrix, [a, b, c]: Triple): Triple => {
  const [x, y, z] = matrix.map(([p, q, r]) => p * a + q * b + r * c);
  return [x ?? 0, y ?? 0, z ?? 0];
};

const linear = (channel: number) => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const clamped = (share: number) => Math.min(1, Math.max(0, share));
const cube = (share: number) => (share > 216 / 24_389 ? Math.cbrt(share) : ((24_389 / 27) * share + 16) / 116);

/** A colour in CIE L*a*b*, as a reader with this sight sees it. */
function labAs(sight: Sight, [red, green, blue]: Triple): Triple {
  const [r, g, b] = times(matrices[sight], [linear(red), linear(green), linear(blue)]);
  const [x, y, z] = times(toXyz, [clamped(r), clamped(g), clamped(b)]);
  const [fx, fy, fz] = [cube(x / white[0]), cube(y / white[1]), cube(z / white[2])];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

/** How far apart two colours are for a reader with this sight (CIE 1976). */
export function differenceAs(sight: Sight, one: Triple, other: Triple): number {
  const [l1, a1, b1] = labAs(sight, one);
  const [l2, a2, b2] = labAs(sight, other);
  return Math.hypot(l1 - l2, a1 - a2, b1 - b2);
}
