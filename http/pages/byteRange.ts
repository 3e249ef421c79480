/** The part of a file that a request asks for, its last byte included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a `Range` header asks of a file of that size: `whole` for none, one that is malformed or several of
 * them, `outside` where the file has none of it.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'whole' | 'outside' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return suffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'outside' : { start, end };
}

const suffix = (length: number, size: number): ByteRange | 'outside' =>
  length === 0 || size === 0 ? 'outside' : { start: Math.max(0, size - length), end: size - 1 };
