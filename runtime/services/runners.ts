import { readFileSync } from 'node:fs';
import { type Runtime, runtimes } from '../../rules/function/runtimes.ts';

type Files = Readonly<Record<string, string>>;

const kept = new Map<Runtime, Files>();
/** Beside this file, and beside the bundle. */
const textOf = (name: string): string => readFileSync(new URL(`runners/${name}`, import.meta.url), 'utf8');

/** What serves and calls functions of a runtime: the text of each file, by name. */
export function runnerFiles(runtime: Runtime): Files {
  const known = kept.get(runtime);
  if (known) return known;
  const { runner, caller } = runtimes[runtime];
  const files = { [runner]: textOf(runner), [caller]: textOf(caller) };
  kept.set(runtime, files);
  return files;
}
