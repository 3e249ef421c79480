import type { Secret } from '../../crds/builtIn.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import { label, managedBy } from '../../crds/names.ts';

/** The key of a versioned value in the Secret of a service's variables. */
export const versionKey = (name: string, version: string): string => `${name}.${version}`;

/** A version contains the time of its creation: `<ms in base 36>-<random>`. */
export const versionOf = (now: number, random: string): string => `${now.toString(36)}-${random}`;

/** A request that wrote an entry references it within this time, or never. */
const requestMs = 10 * 60_000;

/** Whether an entry is so old that no running request can still reference it. */
export function isLongAgo(entry: string, now: number): boolean {
  const [drawn = ''] = entry.slice(entry.lastIndexOf('.') + 1).split('-');
  return now - Number.parseInt(drawn, 36) > requestMs;
}

/** Whether a Secret with the name of a service's variables was written for it, not by a user. */
export const isVariablesOf = ({ spec }: CoreApp, { metadata: { labels = {} } }: Secret): boolean =>
  labels[label.managedBy] === managedBy && labels[label.project] === spec.project;
