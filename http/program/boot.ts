import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The file name of the bundle, given by the build. */
declare const CORE_BUNDLE: string;

const sumBytes = 4;

/** Of the text V8 checks no more than the length, and the kept code it does not check for damage: it would just run it. */
function sumOf(source: Buffer, code: Buffer): Buffer {
  const sum = Buffer.alloc(sumBytes);
  sum.writeUInt32LE(crc32(code, crc32(source)));
  return sum;
}

/** Undefined where no code was kept of this text, or what was kept cannot be read or is damaged. */
function keptCode(file: string, source: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(sumBytes);
    return kept.subarray(0, sumBytes).equals(sumOf(source, code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function keep(file: string, source: Buffer, code: Buffer): void {
  writeFileSync(`${file}.new`, Buffer.concat([sumOf(source, code), code]));
  renameSync(`${file}.new`, file);
}

/**
 * Runs a bundle from the code that V8 kept of it when it was built: most of a start would else be spent on compiling.
 * V8 refuses kept code of another version of itself, or made under other flags, and then compiles as ever. With `CORE_KEEP_CODE` the code is kept
 * when the thread ends.
 */
function boot(path: string): void {
  const file = `${path}.code`;
  const keeps = process.env['CORE_KEEP_CODE'] === '1';
  const source = readFileSync(path);
  const cachedData = keeps ? undefined : keptCode(file, source);
  // The build writes nothing but ASCII, so that V8 holds each character in a byte.
  const text = `(function (module, exports, require, __filename, __dirname) {${source.toString('latin1')}\n})`;
  const script = new Script(text, { filename: path, ...(cachedData && { cachedData }) });
  if (keeps) process.on('exit', () => keep(file, source, script.createCachedData()));
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run(module, module.exports, createRequire(path), path, dirname(path));
}

boot(join(__dirname, CORE_BUNDLE));
