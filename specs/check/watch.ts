import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';
import { lifecycleNames } from './lifecycles.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const settlesMs = 150;

/** The lifecycles to which a changed file belongs: those it is named after, or all if it is shared. */
function touchedBy(path: string, names: readonly string[]): readonly string[] {
  const parts = path.split(/[/.]/);
  const named = names.filter((name) => parts.includes(name));
  return named.length > 0 ? named : /^specs\/(check|tables)\/.*\.ts$|^rules\/[a-z]+\.ts$/i.test(path) ? names : [];
}

/** Checks what each change affects, in a fresh process, until it is interrupted. */
export function watchFor(only: readonly string[] | undefined, print: (line: string) => void): void {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  const start = () => {
    if (running || waiting.size === 0) return;
    const names = [...waiting];
    waiting.clear();
    running = true;
    print(`\n${names.length === lifecycleNames().length ? 'everything' : names.join(', ')} changed`);
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'specs/check/main.ts', '--no-mutation', '--only', names.join(',')],
      { cwd: root, stdio: 'inherit' },
    );
    child.on('exit', () => {
      running = false;
      start();
    });
  };
  const folders = ['specs/tables', 'specs/lifecycles', 'specs/check', 'machines', 'rules'];
  watch(folders, { cwd: root, ignoreInitial: true }).on('all', (_, file) => {
    const touched = touchedBy(file, lifecycleNames());
    for (const name of touched) if (only === undefined || only.includes(name)) waiting.add(name);
    clearTimeout(timer);
    timer = setTimeout(start, settlesMs);
  });
  print(`watching ${only?.join(', ') ?? 'every lifecycle'}; interrupt to end`);
}
