/** How long something keeps the processor busy, in ms: the best of some attempts, which other processes do not change. */
function busyMs(run: () => void, attempts: number): number {
  let best = Infinity;
  for (let attempt = 0; attempt < attempts && best > 0; attempt += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

/**
 * Long enough that a clock tick, a compilation or a collection is a small part of it, and that what is quadratic in it
 * outweighs what is not: with less, errors of YAML made pretty grew like those that are not.
 */
const leastMs = 60;
const attempts = 3;
const secondLooks = 8;
/**
 * Twice the bytes may take 2.75 times as long, and do so twice in a row: what outgrows the processor's caches takes 2.4 times
 * on a busy machine, what is quadratic 4 times.
 */
const mostGrowth = 2.75 ** 2;

/**
 * How many times as long a reader takes for four times the bytes; 0 where it is quick whatever it is given. What seems too
 * slow is looked at again, both lengths one after the other, for it may have been the machine.
 */
export function growthOf(read: (size: number) => () => void, mostBytes: number): number {
  let size = 2 * 1_024;
  let short = read(size);
  let of = busyMs(short, attempts);
  while (of < leastMs && size * 8 <= mostBytes) {
    size *= 2;
    short = read(size);
    of = busyMs(short, attempts);
  }
  const long = read(size * 4);
  let ofFour = busyMs(long, 1);
  let growth = ofFour / of;
  for (let look = 0; look < secondLooks && grows(growth); look += 1) {
    ofFour = Math.min(ofFour, busyMs(long, 1));
    growth = Math.min(growth, ofFour / busyMs(short, attempts));
  }
  return ofFour < leastMs * 2 ? 0 : growth;
}

export const grows = (growth: number): boolean => growth > mostGrowth;
