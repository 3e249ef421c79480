import type { Cause } from '../../api.ts';
import { addressOf, type Place } from '../routes.ts';

/** An object, as causes name it. */
interface Named {
  readonly kind: string;
  readonly name: string;
}

/** The object that has a cause. */
export interface CauseOwner extends Place, Named {}

const platformPages: Readonly<Record<string, string>> = {
  CoreCluster: addressOf.platform('clusters'),
  CoreNode: addressOf.platform('nodes'),
};

const objectPages: Readonly<Record<string, (name: string) => string>> = {
  CoreApp: (name) => addressOf.named(name),
  CoreBuild: (name) => addressOf.build(name),
  CoreDatabase: (name) => addressOf.namedDatabase(name),
  CoreLogicalDatabase: (name) => addressOf.namedLogicalDatabase(name),
  CoreObjectStore: (name) => addressOf.namedBucket(name),
  CoreProject: (project) => addressOf.project({ project }),
};

/** A name that the reader may not know. */
export const isHidden = ({ name }: Pick<Named, 'name'>): boolean => name === '…';

/** The page of an object that a cause names; null where there is none for the reader. */
export function pageOf(object: Named, isAdmin: boolean): string | null {
  if (isHidden(object)) return null;
  const platform = platformPages[object.kind];
  if (platform !== undefined) return isAdmin ? platform : null;
  return objectPages[object.kind]?.(object.name) ?? null;
}

const kindWords: Readonly<Record<string, string>> = {
  CoreApp: 'service',
  CoreBackupArchive: 'backups',
  CoreBuild: 'build',
  CoreCloudConnection: 'cloud connection',
  CoreCluster: 'cluster',
  CoreDatabase: 'database',
  CoreGitHostConnection: 'Git host connection',
  CoreLogicalDatabase: 'logical database',
  CoreNode: 'node',
  CoreObjectStore: 'bucket',
  CoreProject: 'project',
};

/** What people call a kind. */
export const kindWord = (kind: string): string => kindWords[kind] ?? kind;

const isSame = (one: Named, other: Named): boolean => one.kind === other.kind && one.name === other.name;

/** The objects that a cause is about, besides its owner: the one at fault, and the root where it is another. */
export function namedBy({ on, root }: Pick<Cause, 'on' | 'root'>, owner: Named): readonly Named[] {
  const all = root === null || isSame(on, root) ? [on] : [on, root];
  return all.filter((one) => one.name !== '' && !isHidden(one) && !isSame(one, owner));
}

/** The page of the log that the line of a cause is of; null where its log has no page. */
export function logPageOf({ root }: Pick<Cause, 'root'>, owner: CauseOwner): string | null {
  const { kind, name } = root ?? owner;
  if (kind === 'CoreBuild') return addressOf.build(name, 'log');
  if (kind !== 'CoreApp') return null;
  return root === null && owner.project !== '' ? addressOf.service(owner, 'logs') : addressOf.named(name, 'logs');
}
