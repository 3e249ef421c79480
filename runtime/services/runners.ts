import { readFileSync } from 'node:fs';
import { type Runtime, runtimes } from '../../rules/function/runtimes.ts';

type Files = Readonly<Record<string, string>>;

const kept = new Map<Runtime, Files>();
/** Read beside this file, or beside the bundle. */
const textOf = (name: string): string => readFileSync(new URL(`runners/${name}`, import.meta.url), 'utf8');

/** The files that serve and call functions of a runtime, by name. */
export function runnerFiles(runtime: Runtime): Files {
  const known = kept.get(runtime);
  if (known) return known;
  const { runner, caller } = runtimes[runtime];
  const files = { [runner]: textOf(runner), [caller]: textOf(caller) };
  kept.set(runtime, files);
  return files;
}
