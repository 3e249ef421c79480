import type { ResourceType } from './type.ts';

/** What whoever asks for a kind in a deprecated version is warned of; null for any other. */
export function deprecationOf({ custom, deprecated, group, version, kind }: ResourceType): string | null {
  if (custom?.deprecated !== true) return deprecated ?? null;
  if (custom.deprecationWarning !== '') return custom.deprecationWarning;
  const own = `${group}/${version} ${kind} is deprecated`;
  return version === custom.storage.version ? own : `${own}; use ${group}/${custom.storage.version} ${kind}`;
}
