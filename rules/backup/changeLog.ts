/** The latest end of a transaction in a segment of a Postgres change log. */
export type LastEnd =
  | { readonly is: 'none' }
  /** The time of the latest end, in ms since the epoch, and the position of the end written last. */
  | { readonly is: 'at'; readonly at: number; readonly position: bigint }
  /** The segment is unreadable, or cuts off the end of a transaction. */
  | { readonly is: 'unknown' };

// Pages and records have had this layout since Postgres 9.5; the numbers are those of `access/xlog_internal.h`,
// `access/xlogrecord.h` and `access/xact.h`, little-endian as on every machine that Kubernetes runs on.
const page = {
  info: 2,
  position: 8,
  restLength: 16,
  headerBytes: 24,
  longHeaderBytes: 40,
  segmentSize: 32,
  blockSize: 36,
} as const;
const continues = 0x01;
const isLong = 0x02;
const record = { info: 16, manager: 17, headerBytes: 24 } as const;
const transactionManager = 1;
/** Commit, abort, and both for prepared transactions: the records at which a recovery to a time may stop. */
const ends = new Set([0x00, 0x20, 0x30, 0x40]);
const kindMask = 0x70;
/** The headers that may precede the data of such a record, with their lengths. */
const headers: ReadonlyMap<number, number> = new Map([
  [253, 2],
  [252, 4],
]);
const dataLengthBytes: ReadonlyMap<number, number> = new Map([
  [255, 1],
  [254, 4],
]);
/** Postgres counts from the beginning of 2000, UTC. */
const epochMs = 946_684_800_000;

const aligned = (at: number): number => Math.ceil(at / 8) * 8;

/** The records of a segment without the headers of its pages. */
interface Records {
  readonly bytes: Buffer;
  /** Where the first record begins. */
  readonly first: number;
  /** The position in the log of an offset in the bytes. */
  readonly positionOf: (at: number) => bigint;
}

/** Reads a segment; null for other bytes. */
function recordsIn(segment: Buffer): Records | null {
  if (segment.length < page.longHeaderBytes) return null;
  const info = segment.readUInt16LE(page.info);
  const blockSize = segment.readUInt32LE(page.blockSize);
  if ((info & isLong) === 0 || segment.readUInt32LE(page.segmentSize) !== segment.length) return null;
  if (blockSize < 1_024 || segment.length % blockSize !== 0) return null;
  const pages: Buffer[] = [segment.subarray(page.longHeaderBytes, blockSize)];
  for (let at = blockSize; at < segment.length; at += blockSize)
    pages.push(segment.subarray(at + page.headerBytes, at + blockSize));
  const rest = (info & continues) === 0 ? 0 : segment.readUInt32LE(page.restLength);
  const [firstBytes, bytes] = [blockSize - page.longHeaderBytes, blockSize - page.headerBytes];
  const placeOf = (at: number): number => {
    if (at < firstBytes) return page.longHeaderBytes + at;
    const after = at - firstBytes;
    return (Math.floor(after / bytes) + 1) * blockSize + page.headerBytes + (after % bytes);
  };
  const begins = segment.readBigUInt64LE(page.position);
  return {
    bytes: Buffer.concat(pages),
    first: aligned(rest),
    positionOf: (at) => begins + BigInt(placeOf(at)),
  };
}

/** When the transaction of a record ended; null for a record of another kind. */
function endOf(bytes: Buffer, at: number): number | null {
  const kind = bytes.readUInt8(at + record.info) & kindMask;
  if (bytes.readUInt8(at + record.manager) !== transactionManager || !ends.has(kind)) return null;
  let data = at + record.headerBytes;
  for (;;) {
    const id = bytes.readUInt8(data++);
    const length = dataLengthBytes.get(id);
    if (length !== undefined) return epochMs + Number(bytes.readBigInt64LE(data + length)) / 1_000;
    data += headers.get(id) ?? Number.NaN;
  }
}

/** How a position in the change log is written: `0/3000148`. */
export const positionText = (position: bigint): string =>
  [position >> 32n, position & 0xffff_ffffn].map((half) => half.toString(16).toUpperCase()).join('/');

/** The position that a text names; null when it names none. */
export function positionIn(text: string): bigint | null {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** The transactions that ended in a segment of the change log. */
export function lastEndIn(segment: Uint8Array): LastEnd {
  const records = recordsIn(Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength));
  if (records === null) return { is: 'unknown' };
  const { bytes, first, positionOf } = records;
  let last: LastEnd = { is: 'none' };
  try {
    for (let at = first; at + 4 <= bytes.length;) {
      const length = bytes.readUInt32LE(at);
      // The rest of the segment is empty.
      if (length < record.headerBytes) break;
      const end = endOf(bytes, at);
      if (end !== null)
        last = { is: 'at', at: last.is === 'at' ? Math.max(end, last.at) : end, position: positionOf(at) };
      at = aligned(at + length);
    }
  } catch {
    // The time of a record that continues in the next segment is cut off.
    return { is: 'unknown' };
  }
  return last;
}

const segmentName = /\/([0-9A-F]{8})([0-9A-F]{16})(?:\.[a-z0-9]+)?$/;

interface Segment<O> {
  readonly object: O;
  readonly timeline: string;
  readonly place: string;
}

/**
 * The whole segments among the objects of a change log, the newest first, as a recovery reads them: after a promotion,
 * later segments of the earlier timeline are skipped.
 */
export function segmentsOf<O extends { readonly key: string }>(objects: readonly O[]): readonly O[] {
  const named = objects.flatMap((object): readonly Segment<O>[] => {
    const [, timeline, place] = segmentName.exec(object.key) ?? [];
    return timeline === undefined || place === undefined || object.key.endsWith('.partial')
      ? []
      : [{ object, timeline, place }];
  });
  const sorted = named.toSorted((a, b) => (`${a.timeline}${a.place}` < `${b.timeline}${b.place}` ? 1 : -1));
  const read: Segment<O>[] = [];
  for (const one of sorted) {
    const later = read.at(-1);
    if (later === undefined || later.place > one.place) read.push(one);
  }
  return read.map(({ object }) => object);
}
