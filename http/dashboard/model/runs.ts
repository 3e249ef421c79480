import type { Change, Summary } from '../../api.ts';
import { isDraft } from './gate.ts';

/** A setting as it runs, and what the next deploy makes of it. */
export interface Runs {
  /** Empty where nothing runs. */
  readonly now: string;
  /** Null where a deploy changes nothing. */
  readonly next: string | null;
}

const shown = (value: unknown, absent: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : absent;

interface Setting {
  /** `spec.port`, for instance. */
  readonly path: string;
  readonly saved: string;
  /** The value that takes effect where it is absent. */
  readonly absent?: string;
}

/** How a saved setting of a resource runs: what waits for a deploy is in its changes. */
export function runsOf(
  resource: Pick<Summary, 'kind' | 'state' | 'details'>,
  changes: readonly Change[],
  { path, saved, absent = '' }: Setting,
): Runs {
  if (isDraft(resource)) return { now: '', next: saved };
  const change = changes.find((one) => one.path === path);
  return change
    ? { now: shown(change.deployed, absent), next: shown(change.saved, absent) }
    : { now: saved, next: null };
}

/** The tag or digest of an image, with the sign before it; empty where it names none. */
const tagOf = (image: string): string => /(?:@[^/]+|:[^/:@]+)$/.exec(image)?.[0] ?? '';

/** The next image without the name that it shares with the running one. */
export function nextImage({ now, next }: Runs): Runs {
  const tag = next === null ? '' : tagOf(next);
  const isSameName = next !== null && tag !== '' && now.slice(0, now.length - tagOf(now).length) + tag === next;
  return { now, next: isSameName ? tag : next };
}
