import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const sumBytes = 4;

/** V8 checks only the length of the source, and does not check cached code for damage: it would run damaged code. */
function sumOf(source: Buffer, code: Buffer): Buffer {
  const sum = Buffer.alloc(sumBytes);
  sum.writeUInt32LE(crc32(code, crc32(source)));
  return sum;
}

/** Undefined where there is no cached code for this source, or where it is unreadable or damaged. */
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

/** What a bundle requires: packages as they are, and a bundle beside it as this one was run. */
function requireFrom(path: string): (id: string) => unknown {
  const required = createRequire(path);
  return (id) => (id.endsWith('.bundle.js') ? boot(join(dirname(path), id)) : required(id));
}

const booted = new Map<string, unknown>();

/**
 * Runs a bundle once from V8's cached code, which the build made: compiling would otherwise take most of the start. V8
 * rejects cached code of another version of itself, or made under other flags, and compiles as usual. With
 * `CORE_KEEP_CODE` the code is cached when the thread ends. Returns what the bundle exports.
 */
export function boot(path: string): unknown {
  if (booted.has(path)) return booted.get(path);
  const file = `${path}.code`;
  const keeps = process.env['CORE_KEEP_CODE'] === '1';
  const source = readFileSync(path);
  const cachedData = keeps ? undefined : keptCode(file, source);
  // The build writes only ASCII, so that V8 stores each character in one byte.
  const text = `(function (module, exports, require, __filename, __dirname) {${source.toString('latin1')}\n})`;
  const script = new Script(text, { filename: path, ...(cachedData && { cachedData }) });
  if (keeps) process.on('exit', () => keep(file, source, script.createCachedData()));
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run(module, module.exports, requireFrom(path), path, dirname(path));
  booted.set(path, module.exports);
  return module.exports;
}
