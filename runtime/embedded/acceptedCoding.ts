/** A content coding that answers may have. */
export type Coding = 'br' | 'gzip';

const aliases: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };
const weightShape = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The weights of an `Accept-Encoding` header by name; what is malformed is left out. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const one of header.split(',')) {
    const [name = '', parameter, ...more] = one.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameter === undefined ? '1' : weightShape.exec(parameter)?.[1];
    if (name !== '' && weight !== undefined && more.length === 0) weights.set(aliases[name] ?? name, Number(weight));
  }
  return weights;
}

/**
 * The coding of an answer by its request's `Accept-Encoding`: of those that the client likes best the first offered, null
 * for plain bytes. They also go to who sent no header, and to who accepts nothing that there is.
 */
export function acceptedCoding(header: string | undefined, offered: readonly Coding[]): Coding | null {
  if (header === undefined) return null;
  const weights = weightsOf(header);
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = Math.max(...offered.map(weightOf));
  // A client that does not name it takes plain bytes, but prefers what it does name.
  if (best <= 0 || best < (weights.get('identity') ?? 0)) return null;
  return offered.find((one) => weightOf(one) === best) ?? null;
}
