import type { CoreDatabase } from '../../crds/coreDatabase.ts';
import { annotation } from '../../crds/names.ts';
import type { Placement } from '../placement.ts';

/** The placement of a database at its first provisioning: its data stay on these nodes. */
export interface NodePlacement {
  readonly region: string;
  /** Of `spec.runOn.tags`. */
  readonly tags: readonly string[];
  /** Of the project. */
  readonly required: readonly string[];
}

/** The annotation `node-placement` omits empty fields, so `{}` means any node. */
export const nodePlacementText = ({ region, tags, required }: NodePlacement): string =>
  JSON.stringify({
    ...(region === '' ? {} : { region }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(required.length === 0 ? {} : { required }),
  });

/** The parsed annotation; null when it is absent or unreadable. */
export function nodePlacementOf({ metadata }: Pick<CoreDatabase, 'metadata'>): NodePlacement | null {
  const text = metadata.annotations?.[annotation.nodePlacement];
  if (text === undefined) return null;
  const read = parsed(text);
  if (read === null) return null;
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  return {
    region: typeof read['region'] === 'string' ? read['region'] : '',
    tags: texts(read['tags']),
    required: texts(read['required']),
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Every tag that a node needs, without duplicates. */
export const placementOf = ({ region, tags, required }: NodePlacement): Placement => ({
  region,
  tags: [...new Set([...tags, ...required])],
});
