const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether an `If-None-Match` header names what has this tag: that of a compressed answer is weak. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((one) => opaque(one) === opaque(etag)));
