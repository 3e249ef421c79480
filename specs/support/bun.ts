import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const bunVersion = '1.4.5';
/** Of the package of each system, what `package-lock.json` would hold of it. */
const integrities: Readonly<Record<string, string>> = {
  'darwin-arm64': 'sha512-4MIFXHmctH2EhAxLXm2/qxNtv17dFtLJylvaOCsrgq6KSqHTs6eW5YSrJjRbJxYUJaR901fsN8JfZOa+CsWpWQ==',
  'darwin-x64': 'sha512-qkLPMGHZM9NI6CeHTWwVezzmlo6cC4Ta7yUAjYIWXS366qQcOlcp75t2uZyiuVRBMPS0h9qE0tCcvCHGaFqjJg==',
  'linux-arm64': 'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
  'linux-x64': 'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
};
const system = `${process.platform}-${process.arch}`;
const packageName = `@oven/bun-${system.replace('arm64', 'aarch64')}`;
const fetchWithinMs = 240_000;

export interface FetchOptions {
  /** The folder that keeps what was fetched. */
  readonly cache: string;
  /** The environment of npm, which names the registry. */
  readonly env: NodeJS.ProcessEnv;
}
const usual: FetchOptions = {
  cache: fileURLToPath(new URL('../../node_modules/.cache/specs/bun', import.meta.url)),
  env: process.env,
};
const folderIn = (cache: string) => join(cache, `${bunVersion}-${system}`);
const programIn = (cache: string) => join(folderIn(cache), 'package/bin/bun');

/** Where Bun is once `fetchBun` resolved with null. */
export const bunPath = programIn(usual.cache);

/** Takes the package of this system from npm's registry into the cache, whole or not at all. */
async function fetchPackage(name: string, integrity: string, { cache, env }: FetchOptions): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const temporary = mkdtempSync(join(cache, 'fetch-'));
  try {
    const args = ['pack', `${name}@${bunVersion}`, '--json', '--fetch-retries=1'];
    const { stdout } = await promisify(execFile)('npm', args, { cwd: temporary, env, timeout: fetchWithinMs });
    const [{ filename }] = JSON.parse(stdout) as readonly [{ readonly filename: string }];
    const file = join(temporary, filename);
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`the package has integrity ${found}`);
    execFileSync('tar', ['-xzf', file, '-C', temporary]);
    rmSync(file);
    renameSync(temporary, folderIn(cache));
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(programIn(cache))) throw error;
  }
}

/** What npm says of its failure in its answer as JSON, whatever else it warned of; otherwise the error's first line. */
function reasonOf(error: unknown): string {
  const { stdout = '', message } = error as { readonly stdout?: string; readonly message: string };
  try {
    return (JSON.parse(stdout) as { readonly error: { readonly summary: string } }).error.summary;
  } catch {
    return message.split('\n')[0] ?? '';
  }
}

/**
 * Fetches Bun, which only specs and benchmarks of functions run, unless it is in the cache. Resolves with null when it
 * runs here, otherwise with the reason why it does not.
 */
export async function fetchBun(options: FetchOptions = usual): Promise<string | null> {
  const integrity = integrities[system];
  if (integrity === undefined) return `bun is not fetched for ${system}`;
  const program = programIn(options.cache);
  try {
    if (!existsSync(program)) await fetchPackage(packageName, integrity, options);
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return null;
  } catch (error) {
    return `bun cannot be fetched: ${reasonOf(error)}`;
  }
}
