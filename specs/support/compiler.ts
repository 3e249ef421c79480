import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Where the sources are, with a slash at the end. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The lines of a source that do not compile. */
export async function linesRefused(lines: readonly string[]): Promise<ReadonlySet<number>> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'written-'));
  const file = join(folder, 'written.ts');
  try {
    writeFileSync(file, lines.join('\n'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), include: [file] }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const told = await run(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    return new Set([...told.matchAll(/written\.ts\((\d+),/g)].map(([, line]) => Number(line)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
