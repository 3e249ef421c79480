const epochMs = Date.UTC(2000, 0, 1);
const blockBytes = 8_192;
const header = { long: 40, short: 24 } as const;

/** A record of the change log: what manages it, which kind it is, and its data. */
export interface LogRecord {
  readonly manager: number;
  readonly kind: number;
  readonly data: Buffer;
  /** What stands before the header of the data, as the origin of a transaction does. */
  readonly before?: Buffer;
}

/** The record of a transaction that ended then; by default a commit. */
export function ended(at: number, kind = 0x00, before: Buffer = Buffer.alloc(0)): LogRecord {
  const data = Buffer.alloc(8);
  data.writeBigInt64LE(BigInt(at - epochMs) * 1_000n);
  return { manager: 1, kind, data, before };
}

/** A record that ends no transaction, of so many bytes. */
export const other = (bytes: number): LogRecord => ({ manager: 10, kind: 0x20, data: Buffer.alloc(bytes, 0xff) });

function bytesOf({ manager, kind, data, before = Buffer.alloc(0) }: LogRecord): Buffer {
  const length = Buffer.alloc(data.length > 255 ? 5 : 2);
  length.writeUInt8(data.length > 255 ? 254 : 255);
  if (data.length > 255) length.writeUInt32LE(data.length, 1);
  else length.writeUInt8(data.length, 1);
  const head = Buffer.alloc(24);
  const bytes = Buffer.concat([head, before, length, data]);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeUInt8(kind, 16);
  bytes.writeUInt8(manager, 17);
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}

/** Where a segment begins in the log, unless it is said. */
export const begins = 0x1_0300_0000n;

/** A segment of so many pages; what does not fit goes on in the next one. `rest` bytes of it belong to the one before. */
export function segmentOf(records: readonly LogRecord[], { pages = 2, rest = 0, at: place = begins } = {}): Buffer {
  const segment = Buffer.alloc(pages * blockBytes);
  const carried = Buffer.alloc(Math.ceil(rest / 8) * 8, 0xff);
  let left = Buffer.concat([carried, ...records.map(bytesOf)]);
  for (let at = 0; at < segment.length; at += blockBytes) {
    const from = at + (at === 0 ? header.long : header.short);
    left = left.subarray(left.copy(segment, from, 0, at + blockBytes - from));
  }
  segment.writeUInt16LE(0x02 | (rest > 0 ? 0x01 : 0), 2);
  segment.writeBigUInt64LE(place, 8);
  segment.writeUInt32LE(rest, 16);
  segment.writeUInt32LE(segment.length, 32);
  segment.writeUInt32LE(blockBytes, 36);
  return segment;
}
