/** `1 build`, `5,000 builds`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** A number with thousands separators. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** The first twelve characters of a commit or of a digest's hash; empty for an unknown one. */
export const short = (hash = ''): string => hash.replace(/^sha256:/, '').slice(0, 12);
