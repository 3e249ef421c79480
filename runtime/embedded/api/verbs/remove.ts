import type { Place, Stored } from '../../store.ts';
import { type Answer, json, success } from '../answer.ts';
import { type Sent, parseObject, receive } from '../body.ts';
import { type Call, placeOf } from '../call.ts';
import { type Json, at, listAt, textAt, wordOf } from '../json.ts';
import { fromStored } from '../kinds/versions.ts';
import { dryRunFaults } from '../managedFields/manager.ts';
import { type View, listText, objectText } from '../present.ts';
import { selected } from '../selected.ts';
import { selectionOf } from '../selectors.ts';
import { invalidValue, notSupported } from '../schema/cause.ts';
import { type Cause, StatusError, badRequest, forbidden, invalid, methodNotAllowed } from '../status.ts';
import { changed, ending, isHeld } from '../store/objects.ts';
import { checkPrecondition } from '../store/store.ts';
import { admitRemoval } from './admit.ts';
import { checkListOptions } from './listOptions.ts';
import { existing, viewOf } from './read.ts';

type Policy = 'Background' | 'Foreground' | 'Orphan';

interface Options {
  readonly policy: Policy;
  readonly precondition: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: boolean;
  /** How long a pod that runs may take to end; undefined: as long as itself says. */
  readonly graceSeconds: number | undefined;
}

/** Finalizers that the garbage collector takes away once it has done what they stand for. */
const finalizerOf: Readonly<Record<Policy, string | null>> = {
  Background: null,
  Foreground: 'foregroundDeletion',
  Orphan: 'orphan',
};

/** Deletes one object; what stays for its finalizers is shown, else a `Status` of success. */
export async function deleteObject(call: Call): Promise<Answer> {
  if (call.subresource !== null) throw methodNotAllowed();
  const options = await optionsOf(call);
  const place = placeOf(call);
  checkMortal(call);
  const found = existing(call);
  checkPrecondition(place, found, options.precondition);
  admitRemoval(call, found);
  if (options.dryRun) return foreseen(call, found, options);
  const gone = await remove(call, place, options);
  return outcome(viewOf(call), call, gone, call.store.get(place)?.metadata.uid !== gone.metadata.uid);
}

const immortal = ['default', 'kube-system', 'kube-public'];

function checkMortal({ type, name }: Call): void {
  if (type.bucket === '/namespaces' && name !== null && immortal.includes(name))
    throw forbidden(type, name, 'this namespace may not be deleted');
}

/** What a deletion would leave: an object that waits for its finalizers, or nothing. */
function foreseen(call: Call, found: Stored, { policy, graceSeconds }: Options): Answer {
  const waiting = finalizerOf[policy] === null && !isHeld(found) ? null : awaited(found, policy, graceSeconds);
  const shown = waiting && changed(found, waiting, Number(found.metadata.resourceVersion));
  return outcome(viewOf(call), call, shown ?? found, waiting === null);
}

/** Deletes what is selected, no more than the limit; answers with what was, or with the first failure. */
export async function deleteObjects(call: Call): Promise<Answer> {
  const { store, type, namespace, query } = call;
  const limit = checkListOptions(call, false).limit;
  const options = await optionsOf(call);
  const resourceVersion = String(store.revision());
  const all = selected(store, { bucket: type.bucket, namespace }, selectionOf(query, type));
  const chosen = limit > 0 ? all.slice(0, limit) : all;
  const objects = type.custom ? chosen.map((object) => fromStored(type, object)) : chosen;
  objects.forEach((object) => admitRemoval(call, object));
  if (!options.dryRun)
    await Promise.all(
      objects.map(async ({ metadata: { name, namespace: own = '', uid } }) => {
        const place = { bucket: type.bucket, namespace: own, name };
        await remove(call, place, { ...options, precondition: { uid } }).catch(unlessGone);
      }),
    );
  return { code: 200, text: listText(viewOf(call), objects, { resourceVersion }) };
}

/** Somebody else may have deleted it in between: then it is gone, as was asked. */
function unlessGone(why: unknown): void {
  if (!(why instanceof StatusError) || ![404, 409].includes(why.body.code)) throw why;
}

async function remove({ store }: Call, place: Place, { policy, precondition, graceSeconds }: Options): Promise<Stored> {
  const finalizer = finalizerOf[policy];
  if (finalizer === null && (graceSeconds === undefined || place.bucket !== '/pods'))
    return store.remove(place, precondition);
  return store.update(place, (old) => {
    checkPrecondition(place, old, precondition);
    return awaited(old, policy, graceSeconds);
  });
}

/** An object whose deletion waits for what its finalizers stand for. */
function awaited(old: Stored, policy: Policy, graceSeconds: number | undefined): Stored {
  const finalizer = finalizerOf[policy];
  const finalizers = old.metadata.finalizers ?? [];
  if (finalizer === null) return ending(old, graceSeconds);
  if (finalizers.includes(finalizer)) return old;
  const next = ending(old, graceSeconds);
  return { ...next, metadata: { ...next.metadata, finalizers: [...finalizers, finalizer] } };
}

/** Kinds of which a deletion shows the object, also one that is gone at once. */
const shownWhenGone = ['Pod', 'StorageClass', 'CSIDriver', 'CSINode', 'VolumeAttachment'];

function outcome(view: View, { type }: Call, object: Stored, gone: boolean): Answer {
  if (!gone || shownWhenGone.includes(type.kind))
    return { code: 200, text: objectText({ ...view, form: 'object' }, object) };
  const { name, uid } = object.metadata;
  return json(success({ name, ...(type.group !== '' && { group: type.group }), kind: type.plural, uid }));
}

async function optionsOf(call: Call): Promise<Options> {
  const sent = await receive(call);
  const body = sent.bytes.length === 0 ? {} : deleteOptions(sent);
  const asked = askedOf(call, body);
  const causes = deleteFaults(asked);
  if (causes.length > 0) throw invalid('meta.k8s.io', 'DeleteOptions', '', causes);
  return {
    policy: policyOf(call, asked),
    precondition: preconditionOf(body),
    dryRun: asked.dryRun.includes('All'),
    graceSeconds: graceOf(call, body),
  };
}

function deleteOptions(sent: Sent): Json {
  if (sent.mediaType === 'application/json') {
    const { why } = sent.json();
    if (why !== undefined) throw badRequest(`couldn't get version/kind; json parse error: ${why}`);
  }
  const body = parseObject(sent);
  const kind = textAt(body, 'kind') || 'DeleteOptions';
  if (kind === 'DeleteOptions') return body;
  const version = textAt(body, 'apiVersion');
  throw badRequest(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
  );
}

function graceOf({ query }: Call, body: Json): number | undefined {
  const asked = at(body, 'gracePeriodSeconds') ?? query.get('gracePeriodSeconds');
  const seconds = asked === null || asked === undefined || asked === '' ? Number.NaN : Number(asked);
  // Less than nothing counts as a second.
  if (seconds < 0) return 1;
  return Number.isInteger(seconds) ? seconds : undefined;
}

interface Asked {
  readonly policy: string;
  readonly orphans: string;
  readonly dryRun: readonly string[];
}

/** Options stand in the body; where there is none, in the query. */
function askedOf({ query }: Call, body: Json): Asked {
  const said = (name: string) => wordOf(body[name] ?? query.get(name) ?? '');
  const dryRun = listAt(body, 'dryRun').map(wordOf);
  return {
    policy: said('propagationPolicy'),
    orphans: said('orphanDependents'),
    dryRun: dryRun.length > 0 ? dryRun : query.getAll('dryRun'),
  };
}

function policyOf({ type, warn }: Call, { policy, orphans }: Asked): Policy {
  if (isPolicy(policy)) return policy;
  if (orphans !== '') return orphans === 'true' ? 'Orphan' : 'Background';
  if (type.bucket !== 'batch/jobs') return 'Background';
  warn(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
  return 'Orphan';
}

const isPolicy = (text: string): text is Policy => ['Background', 'Foreground', 'Orphan'].includes(text);

function deleteFaults({ policy, orphans, dryRun }: Asked): readonly Cause[] {
  const field = 'propagationPolicy';
  return [
    ...(policy !== '' && orphans !== ''
      ? [invalidValue(field, policy, 'orphanDependents and deletionPropagation cannot be both set')]
      : []),
    ...(policy === '' || isPolicy(policy)
      ? []
      : [notSupported(field, policy, ['Foreground', 'Background', 'Orphan', 'nil'])]),
    ...dryRunFaults(dryRun),
  ];
}

/** Which object a deletion is meant for, as its options say. */
export function preconditionOf(body: Json): Options['precondition'] {
  const uid = textAt(body, 'preconditions', 'uid');
  const resourceVersion = textAt(body, 'preconditions', 'resourceVersion');
  return { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) };
}
