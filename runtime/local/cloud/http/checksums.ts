import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { crc32c, crc64nvme } from './crc.ts';

/** An incremental checksum. */
export interface Digest {
  readonly update: (bytes: Uint8Array) => void;
  readonly base64: () => string;
}

/** The S3 names of the algorithms, in lower case as in `x-amz-checksum-<name>`. */
export const algorithms = ['crc32', 'crc32c', 'crc64nvme', 'md5', 'sha1', 'sha256', 'sha512'] as const;
export type Algorithm = (typeof algorithms)[number];

export const checksumHeader = (algorithm: Algorithm): string => `x-amz-checksum-${algorithm}`;

/** The XML element name of a checksum. */
export const checksumElement = (algorithm: string): string => `Checksum${algorithm.toUpperCase()}`;

const crcOf = (step: (bytes: Uint8Array, before: number) => number): Digest => {
  let crc = 0;
  return {
    update: (bytes) => {
      crc = step(bytes, crc);
    },
    base64: () => {
      const text = Buffer.alloc(4);
      text.writeUInt32BE(crc);
      return text.toString('base64');
    },
  };
};

const crc64 = (): Digest => {
  let crc = { high: 0, low: 0 };
  return {
    update: (bytes) => {
      crc = crc64nvme(bytes, crc);
    },
    base64: () => {
      const text = Buffer.alloc(8);
      text.writeUInt32BE(crc.high);
      text.writeUInt32BE(crc.low, 4);
      return text.toString('base64');
    },
  };
};

const hashBy = (name: string): Digest => {
  const hash = createHash(name);
  return { update: (bytes) => void hash.update(bytes), base64: () => hash.digest('base64') };
};

/** Starts a checksum of no bytes. */
export function digestBy(algorithm: Algorithm): Digest {
  switch (algorithm) {
    case 'crc32':
      return crcOf(crc32);
    case 'crc32c':
      return crcOf(crc32c);
    case 'crc64nvme':
      return crc64();
    default:
      return hashBy(algorithm);
  }
}

/** The composite checksum: of the checksums of the parts. */
export function compositeOf(algorithm: Algorithm, parts: readonly string[]): string {
  const digest = digestBy(algorithm);
  for (const part of parts) digest.update(Buffer.from(part, 'base64'));
  return `${digest.base64()}-${parts.length}`;
}
