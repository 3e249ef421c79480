import { BuildFailure } from './buildFailure.ts';

/** What a builder is asked for, in the words of kaniko. */
export interface BuilderArguments {
  readonly context: string;
  readonly recipe: string;
  readonly destination: string;
  readonly cache: boolean;
  readonly buildArgs: Readonly<Record<string, string>>;
}

const known = ['context', 'dockerfile', 'destination', 'digest-file', 'cache', 'build-arg'] as const;
type Known = (typeof known)[number];
const isKnown = (name: string): name is Known => known.some((one) => one === name);

/** Reads the arguments of the container `builder`. */
export function builderArguments(words: readonly string[]): BuilderArguments {
  const given = words.map(flagOf);
  const last = (name: Known) => given.findLast((flag) => flag.name === name)?.value;
  const needed = (name: Known) => {
    const value = last(name);
    if (!value) throw new BuildFailure(`--${name} is missing`);
    return value;
  };
  const context = needed('context');
  if (!context.startsWith('dir://')) throw new BuildFailure(`--context=${context} is not a folder (dir://…)`);
  return {
    context: context.slice('dir://'.length),
    recipe: needed('dockerfile'),
    destination: needed('destination'),
    cache: last('cache') === 'true',
    buildArgs: Object.fromEntries(given.filter(({ name }) => name === 'build-arg').map(({ value }) => pairOf(value))),
  };
}

function flagOf(word: string): { readonly name: Known; readonly value: string } {
  const [, name = '', value] = /^--([a-z-]+)(?:=([^]*))?$/.exec(word) ?? [];
  if (!isKnown(name)) throw new BuildFailure(`unknown flag: ${word}`);
  return { name, value: value ?? 'true' };
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new BuildFailure(`--build-arg=${text} is not NAME=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}
