import type { Place, Stored } from '../../store.ts';
import { type Answer, json, success } from '../answer.ts';
import { mediaTypeOf, parseObject, readBody } from '../body.ts';
import { type Call, isDryRun, placeOf } from '../call.ts';
import { type Json, at, textAt, wordOf } from '../json.ts';
import { type View, listText, objectText } from '../present.ts';
import { selected } from '../selected.ts';
import { selectionOf } from '../selectors.ts';
import { badRequest, methodNotAllowed } from '../status.ts';
import { timestamp } from '../store/objects.ts';
import { checkPrecondition } from '../store/store.ts';
import { existing, viewOf } from './read.ts';

type Policy = 'Background' | 'Foreground' | 'Orphan';

interface Options {
  readonly policy: Policy;
  readonly precondition: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: boolean;
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
  const found = existing(call);
  checkPrecondition(place, found, options.precondition);
  if (options.dryRun) return outcome(viewOf(call), call, found, true);
  const gone = await remove(call, place, options);
  return outcome(viewOf(call), call, gone, call.store.get(place)?.metadata.uid !== gone.metadata.uid);
}

/** Deletes everything selected; answers with what was. */
export async function deleteObjects(call: Call): Promise<Answer> {
  const { store, type, namespace, query } = call;
  const options = await optionsOf(call);
  const objects = selected(store, { bucket: type.bucket, namespace }, selectionOf(query, type.kind));
  if (!options.dryRun)
    await Promise.all(
      objects.map(async ({ metadata: { name, namespace: own = '', uid } }) => {
        const place = { bucket: type.bucket, namespace: own, name };
        // Somebody else may have deleted it in between: then it is gone, as was asked.
        await remove(call, place, { ...options, precondition: { uid } }).catch(() => null);
      }),
    );
  return { code: 200, text: listText(viewOf(call), objects, { resourceVersion: String(store.revision()) }) };
}

async function remove({ store }: Call, place: Place, { policy, precondition }: Options): Promise<Stored> {
  const finalizer = finalizerOf[policy];
  if (finalizer === null) return store.remove(place, precondition);
  return store.update(place, (old) => {
    checkPrecondition(place, old, precondition);
    const finalizers = old.metadata.finalizers ?? [];
    if (finalizers.includes(finalizer)) return old;
    const deletionTimestamp = old.metadata.deletionTimestamp ?? timestamp();
    return { ...old, metadata: { ...old.metadata, deletionTimestamp, finalizers: [...finalizers, finalizer] } };
  });
}

function outcome(view: View, { type }: Call, object: Stored, gone: boolean): Answer {
  if (!gone || type.kind === 'Pod') return { code: 200, text: objectText({ ...view, form: 'object' }, object) };
  const { name, uid } = object.metadata;
  return json(success({ name, ...(type.group !== '' && { group: type.group }), kind: type.plural, uid }));
}

async function optionsOf(call: Call): Promise<Options> {
  const sent = await readBody(call.request);
  const body = sent.length === 0 ? {} : parseObject(sent, mediaTypeOf(call.request));
  const dryRun = isDryRun(call) || JSON.stringify(body['dryRun']) === '["All"]';
  return { policy: policyOf(call, body), precondition: preconditionOf(body), dryRun };
}

function policyOf({ query, type, warn }: Call, body: Json): Policy {
  const asked = textAt(body, 'propagationPolicy') || query.get('propagationPolicy') || '';
  if (asked === 'Background' || asked === 'Foreground' || asked === 'Orphan') return asked;
  if (asked !== '')
    throw badRequest(
      `DeleteOptions "" is invalid: propagationPolicy: Unsupported value: ${JSON.stringify(asked)}: supported values: "Background", "Foreground", "Orphan"`,
    );
  const orphans = at(body, 'orphanDependents') ?? query.get('orphanDependents');
  if (orphans !== undefined && orphans !== null) return wordOf(orphans) === 'true' ? 'Orphan' : 'Background';
  if (type.bucket !== 'batch/jobs') return 'Background';
  warn(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
  return 'Orphan';
}

function preconditionOf(body: Json): Options['precondition'] {
  const uid = textAt(body, 'preconditions', 'uid');
  const resourceVersion = textAt(body, 'preconditions', 'resourceVersion');
  return { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) };
}
