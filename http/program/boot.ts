import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

/** The file name of the bundle, given by the build. */
declare const CORE_BUNDLE: string;

/**
 * Runs a bundle from the code that V8 kept of it when it was built: most of a start would else be spent on compiling.
 * V8 refuses kept code of another version of itself, and then compiles as ever. With `CORE_KEEP_CODE` the code is kept
 * when the thread ends.
 */
function boot(path: string): void {
  const kept = `${path}.code`;
  const keeps = process.env['CORE_KEEP_CODE'] === '1';
  const cachedData = !keeps && existsSync(kept) ? readFileSync(kept) : undefined;
  // The build writes nothing but ASCII, so that V8 holds each character in a byte.
  const source = readFileSync(path, 'latin1');
  const script = new Script(`(function (module, exports, require, __filename, __dirname) {${source}\n})`, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  if (keeps)
    process.on('exit', () => {
      writeFileSync(`${kept}.new`, script.createCachedData());
      renameSync(`${kept}.new`, kept);
    });
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: readonly unknown[]) => void;
  run(module, module.exports, createRequire(path), path, dirname(path));
}

boot(join(__dirname, CORE_BUNDLE));
