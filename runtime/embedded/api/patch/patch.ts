import { type Sent, applyType, parseYaml } from '../body.ts';
import type { Call } from '../call.ts';
import { type Json, isJson, jsonAt, without } from '../json.ts';
import { checkReadable } from '../kinds/identity.ts';
import { goKind } from '../jsonText.ts';
import { duplicatesOf, inPatched, inStrategicPatch, readBuiltIn, readScale } from '../kinds/readable.ts';
import { readCustom } from '../kinds/readCustom.ts';
import { storedTypeOf, toStored } from '../kinds/versions.ts';
import { builtInSchema } from '../schema/builtIn.ts';
import { checkOptions } from '../managedFields/manager.ts';
import { checkShape, mostValues, mostValuesOfPatch } from '../shape.ts';
import { badRequest, unsupportedMediaType } from '../status.ts';
import { applyPatch } from './apply.ts';
import { jsonPatch } from './jsonPatch.ts';
import { mergePatch } from './merge.ts';
import { strategicMerge } from './strategic.ts';
import type { Patch } from './kind.ts';

const jsonType = 'application/json-patch+json';
const mergeType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';

/** Reads the body of a patch request by its media type. */
export function parsePatch(call: Call, sent: Sent): Patch {
  const { mediaType } = sent;
  checkOptions(call, mediaType === applyType);
  const isCustom = call.type.custom !== undefined;
  if (mediaType === jsonType) return plainPatch(call, sent, jsonPatch, parsed(sent, mostValuesOfPatch));
  if (mediaType === mergeType) return plainPatch(call, sent, mergePatch, asMap(parsed(sent)));
  if (mediaType === strategicType && !isCustom) return strategicPatch(call, sent);
  if (mediaType === applyType) {
    const given = asObject(parseYaml(sent));
    const stored = storedTypeOf(call.type);
    return bounded(
      stored === call.type
        ? applyPatch(call, given)
        : applyPatch({ ...call, type: stored }, toStored(call.type, given)),
    );
  }
  throw unsupportedMediaType([jsonType, mergeType, ...(isCustom ? [] : [strategicType]), applyType]);
}

/** A patch that knows nothing of the kind it changes. */
function plainPatch(call: Call, sent: Sent, made: (object: Json, patch: unknown) => unknown, patch: unknown): Patch {
  const prefix = sent.mediaType === jsonType ? 'json patch ' : '';
  const duplicates = duplicatesOf(call, sent).map((text) => `${prefix}${text}`);
  return {
    *apply(object) {
      const patched = asObject(made(object, patch));
      checkPatched(patched);
      yield;
      checkReadable(call, object, patched);
      const source = inPatched(patched);
      if (call.subresource === 'scale') return readScale(call, patched, source);
      return call.type.custom
        ? readCustom(call, patched, source, duplicates)
        : readBuiltIn(call, patched, source, duplicates);
    },
  };
}

function strategicPatch(call: Call, sent: Sent): Patch {
  // Go reads a null as a map of nothing.
  const patch = asObject(parsed(sent) ?? {}, '');
  const isScale = call.subresource === 'scale';
  const schema = isScale ? null : builtInSchema(call.type.group, call.type.kind);
  return {
    *apply(object) {
      const patched = strategicMerge(object, patch, schema);
      checkPatched(patched);
      yield;
      return (isScale ? readScale : readBuiltIn)(call, patched, inStrategicPatch(patch));
    },
  };
}

const bounded = (patch: Patch): Patch => ({
  ...patch,
  *apply(object, stored) {
    const applied = yield* patch.apply(object, stored);
    checkPatched(applied);
    return applied;
  },
});

/** Patches may add up to what no body could bring. Who manages what is as much again, and not theirs. */
function checkPatched(patched: Json): void {
  checkShape({ ...patched, metadata: without(jsonAt(patched, 'metadata'), 'managedFields') });
}

function parsed({ json }: Sent, most = mostValues): unknown {
  const read = json(most);
  if (read.why !== undefined) throw badRequest(`error decoding patch: ${read.why}`);
  return read.value;
}

function asMap(value: unknown): Json {
  if (value === null) throw badRequest('Invalid JSON Patch');
  return asObject(value);
}

function asObject(value: unknown, prefix = 'error decoding patch: '): Json {
  if (isJson(value)) return value;
  throw badRequest(`${prefix}json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`);
}
