import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync, statfsSync, writeSync } from 'node:fs';

/** More than lmdb's table of readers takes. */
const readersBytes = 64 * 1_024;
const blockBytes = 512;

/**
 * Gives lmdb's table of readers its place on the disk. lmdb maps it into memory with holes in it, and a hole that a full
 * disk cannot fill ends the process with a signal; here it is an error that can be returned.
 */
export function makeRoomForReaders(path: string): void {
  const { size = 0, blocks = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size >= readersBytes && blocks * blockBytes >= size) return;
  writeNothing(path, readersBytes);
}

function writeNothing(path: string, bytes: number): void {
  const file = openSync(path, 'w', 0o600);
  try {
    for (let written = 0; written < bytes;) written += writeSync(file, Buffer.alloc(bytes - written));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Several times what lmdb writes before it is asked to. */
const firstPagesBytes = 256 * 1_024;

/** Refuses to begin a file where its first pages have no place: lmdb may end the process with a signal there. */
export function checkRoomToBegin(path: string): void {
  if (existsSync(path)) return;
  const trial = `${path}.new`;
  try {
    writeNothing(trial, firstPagesBytes);
  } finally {
    rmSync(trial, { force: true });
  }
}

/** With less than this, it is not predictable what still fits. */
const littleBytes = 1_024 * 1_024;

/** Why a write failed. lmdb calls a write that was cut short an input/output error, which is what a full disk does. */
export function whyNotWritten(failure: unknown, dir: string): Error {
  const error = failure instanceof Error ? failure : new Error(String(failure));
  const { bavail, bsize } = statfsSync(dir);
  const isCutShort = /input\/output error/i.test(error.message);
  return isCutShort && bavail * bsize < littleBytes ? new Error(`ENOSPC: no space left on device, ${dir}`) : error;
}
