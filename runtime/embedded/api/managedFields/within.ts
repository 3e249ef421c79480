import { type Json, jsonAt, same } from '../json.ts';
import { type ResourceType, groupVersion } from '../kinds/type.ts';
import { timestamp } from '../store/objects.ts';
import { capped } from './capped.ts';
import { type Entry, type Manager, decodeEntries, encodeEntries } from './entries.ts';
import { managedFieldsOf, withManagedFields } from './fieldManager.ts';
import { setOf } from './fieldSet.ts';
import { afterUpdate } from './ownership.ts';
import { rootOf } from './root.ts';
import { fieldStep } from './step.ts';
import { withZeroParts } from './zero.ts';

/** Kinds that come in great numbers and that nobody applies. */
const untracked = ['Event', 'Lease'];

const controllerManager = 'kube-controller-manager';
const kubelet = 'kubelet';

/** To be bound to a node is nobody's field. */
const bound = setOf([fieldStep('spec'), fieldStep('nodeName')]);

/** An object with the component of the cluster that wrote it as the manager of what it changed; `old` null: it is new. */
export function trackedWithin(type: ResourceType, old: Json | null, next: Json): Json {
  const known = old ? (decodeEntries(managedFieldsOf(old)) ?? []) : [];
  // Nobody is recorded of an object whose managers were never known.
  if (untracked.includes(type.kind) || (old !== null && known.length === 0)) return next;
  const from = bare(old ?? unborn(type, next));
  const to = bare(next);
  const between = { ...to, status: from['status'] };
  const owners = owned(type, { owners: known, manager: writerOf(type, old), subresource: '' }, from, between);
  const status = { owners, manager: reporterOf(type, from, to), subresource: 'status' };
  return withManagedFields(next, encodeEntries(capped(owned(type, status, between, to))));
}

/** What a new object has before anybody gives it anything; only a Node reports how it is at its birth. */
const unborn = ({ kind }: ResourceType, { apiVersion, kind: given, status }: Json): Json => ({
  apiVersion,
  kind: given,
  ...(kind !== 'Node' && { status }),
});

interface Part {
  readonly owners: readonly Entry[];
  readonly manager: string;
  readonly subresource: string;
}

function owned(type: ResourceType, { owners, manager, subresource }: Part, from: Json, to: Json): readonly Entry[] {
  if (same(from, to)) return owners;
  const [before, after] = type.custom ? [from, to] : withZeroParts(from, to);
  const writer: Manager = { name: manager, operation: 'Update', apiVersion: groupVersion(type), subresource };
  const write = { typed: rootOf(type), manager: writer, now: timestamp(), ignored: bound };
  return afterUpdate(write, owners, before, after);
}

const bare = (object: Json): Json => withManagedFields(object, []);

/** A controller makes pods; from then on their nodes note on them how they run. */
const writerOf = ({ kind }: ResourceType, old: Json | null) =>
  kind === 'Node' || (kind === 'Pod' && old !== null) ? kubelet : controllerManager;

/** Pods and Nodes are reported on by their node, but for a pod that finds none. */
function reporterOf({ kind }: ResourceType, from: Json, to: Json): string {
  if (kind !== 'Pod') return kind === 'Node' ? kubelet : controllerManager;
  const placed = jsonAt(to, 'spec')['nodeName'] !== undefined;
  return placed || jsonAt(from, 'spec')['nodeName'] !== undefined ? kubelet : 'kube-scheduler';
}
