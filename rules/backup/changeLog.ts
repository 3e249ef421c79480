/** What the transactions in a segment of a Postgres change log tell: when the last of them ended, in ms since the epoch. */
export type LastEnd =
  | { readonly is: 'none' }
  | { readonly is: 'at'; readonly at: number }
  /** The segment is not one that this can read, or the end of a transaction is cut off by its own end. */
  | { readonly is: 'unknown' };

// Pages and records have had this layout since Postgres 9.5; the numbers are those of `access/xlog_internal.h`,
// `access/xlogrecord.h` and `access/xact.h`, little-endian as on every machine that Kubernetes runs on.
const page = { info: 2, restLength: 16, headerBytes: 24, longHeaderBytes: 40, segmentSize: 32, blockSize: 36 } as const;
const continues = 0x01;
const isLong = 0x02;
const record = { info: 16, manager: 17, headerBytes: 24 } as const;
const transactionManager = 1;
/** Commit, abort, and both of what was prepared: the records at which a recovery to a moment may stop. */
const ends = new Set([0x00, 0x20, 0x30, 0x40]);
const kindMask = 0x70;
/** What may stand before the data of such a record, with its length. */
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

/** The records of a segment without the headers of its pages, and where the first of them begins; null for other bytes. */
function recordsIn(segment: Buffer): { readonly bytes: Buffer; readonly first: number } | null {
  if (segment.length < page.longHeaderBytes) return null;
  const info = segment.readUInt16LE(page.info);
  const blockSize = segment.readUInt32LE(page.blockSize);
  if ((info & isLong) === 0 || segment.readUInt32LE(page.segmentSize) !== segment.length) return null;
  if (blockSize < 1_024 || segment.length % blockSize !== 0) return null;
  const pages: Buffer[] = [segment.subarray(page.longHeaderBytes, blockSize)];
  for (let at = blockSize; at < segment.length; at += blockSize)
    pages.push(segment.subarray(at + page.headerBytes, at + blockSize));
  const rest = (info & continues) === 0 ? 0 : segment.readUInt32LE(page.restLength);
  return { bytes: Buffer.concat(pages), first: aligned(rest) };
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

/** When the last transaction in a segment of the change log ended. */
export function lastEndIn(segment: Uint8Array): LastEnd {
  const records = recordsIn(Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength));
  if (records === null) return { is: 'unknown' };
  const { bytes, first } = records;
  let last: number | null = null;
  try {
    for (let at = first; at + 4 <= bytes.length;) {
      const length = bytes.readUInt32LE(at);
      // The rest of the segment is empty.
      if (length < record.headerBytes) break;
      const end = endOf(bytes, at);
      if (end !== null) last = Math.max(end, last ?? end);
      at = aligned(at + length);
    }
  } catch {
    // A record that goes on in the next segment is cut off within what tells its time.
    return { is: 'unknown' };
  }
  return last === null ? { is: 'none' } : { is: 'at', at: last };
}
