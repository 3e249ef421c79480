import type { Environment } from '@marcbachmann/cel-js';

/** The functions that the API adds to the standard ones of CEL. */
export function addLibrary(environment: Environment): Environment {
  return environment
    .registerFunction('isURL(string): bool', (text: string) => URL.canParse(text))
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => new RegExp(pattern, 'u').exec(text)?.[0] ?? '',
    )
    .registerFunction(
      'string.findAll(string): list<string>',
      (text: string, pattern: string) => text.match(new RegExp(pattern, 'gu')) ?? [],
    )
    .registerFunction('string.replace(string, string): string', (text: string, found: string, by: string) =>
      text.replaceAll(found, () => by),
    )
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) => BigInt(list.indexOf(item)))
    .registerFunction('list.isSorted(): bool', (list: readonly Ordered[]) =>
      list.every((item, index) => index === 0 || (list[index - 1] ?? item) <= item),
    );
}

type Ordered = string | number | bigint | boolean;
