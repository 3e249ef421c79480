import type { CoreApp } from '../../crds/coreApp.ts';
import { annotation } from '../../crds/names.ts';
import { isActive } from '../activeDeployment/name.ts';
import { replicasOf } from '../service/effective.ts';
import { messageOf } from '../verdict.ts';
import { deploymentRecordLimits } from './events.ts';
import { recordedImage } from './image.ts';
import { recordedSourceOf } from './recordedSource.ts';
import { recordedBy } from './source.ts';
import { recordedTitle } from './title.ts';

/** A listed deploy of a service to be recorded, with what its record needs of that time. */
export interface ListedDeploy {
  /** The name of its record. */
  readonly name: string;
  readonly at: string;
  readonly project: string;
  readonly environment: string;
  readonly image: string;
  readonly replicas: number;
  readonly changeTitle: string;
  readonly source: string;
  readonly imageDigest: string;
}

/** A deploy under the name of its record, at a moment, of the image that the service resolves to. */
export interface NamedDeploy {
  readonly name: string;
  readonly at: string;
  readonly resolvedImage: string;
}

const texts = ['name', 'at', 'project', 'environment', 'image', 'changeTitle', 'source', 'imageDigest'] as const;

const isListed = (app: string, value: unknown): value is ListedDeploy => {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const name = String(fields['name']);
  return (
    texts.every((field) => typeof fields[field] === 'string') &&
    Number.isSafeInteger(fields['replicas']) &&
    name.startsWith(`${app}-`) &&
    !isActive(name)
  );
};

function listIn(app: string, text: string): readonly ListedDeploy[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one) => isListed(app, one)) : [];
  } catch {
    return [];
  }
}

/** Caches the parsed annotation by its text, because every pass reads it more than once. */
const read = new WeakMap<object, { readonly text: string; readonly list: readonly ListedDeploy[] }>();

/** The deploys that a service lists, oldest first; unreadable entries are left out. */
export function listedDeploys({ metadata }: Pick<CoreApp, 'metadata'>): readonly ListedDeploy[] {
  const text = metadata.annotations?.[annotation.deploys] ?? '';
  if (text === '') return [];
  const before = read.get(metadata);
  if (before?.text === text) return before.list;
  const list = listIn(metadata.name, text);
  read.set(metadata, { text, list });
  return list;
}

/** The listed deploys after the newest one that is known to have its record. */
export function unrecordedDeploys(app: CoreApp): readonly ListedDeploy[] {
  const list = listedDeploys(app);
  const recorded = app.status?.recordedDeploy ?? '';
  return list.slice(list.findIndex(({ name }) => name === recorded) + 1);
}

/** The patch that lists another deploy of a service in its current form; recorded ones are dropped. */
export function withDeploy(app: CoreApp, { name, at, resolvedImage }: NamedDeploy) {
  const { spec } = app;
  const source = recordedSourceOf(spec, resolvedImage);
  const listed: ListedDeploy = {
    name,
    at,
    project: spec.project,
    environment: spec.environment,
    image: messageOf('Image', recordedImage, source),
    replicas: replicasOf(spec),
    changeTitle: messageOf('Title', recordedTitle, source),
    source: messageOf('Source', recordedBy, source),
    imageDigest: app.status?.resolvedImage ?? '',
  };
  const others = unrecordedDeploys(app).filter((one) => one.name !== name);
  // Older ones would be removed as soon as they were recorded.
  const list = [...others, listed].slice(-deploymentRecordLimits.keptRecords);
  return { metadata: { annotations: { [annotation.deploys]: JSON.stringify(list) } } };
}
