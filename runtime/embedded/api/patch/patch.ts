import { parseYaml } from '../body.ts';
import type { Call } from '../call.ts';
import { type Json, isJson } from '../json.ts';
import type { Stored } from '../../store.ts';
import { checkReadable } from '../kinds/identity.ts';
import { goKind, readJson } from '../jsonText.ts';
import { duplicatesIn, inPatched, inStrategicPatch, readBuiltIn, readScale } from '../kinds/readable.ts';
import { readCustom } from '../kinds/readCustom.ts';
import { storedTypeOf, toStored } from '../kinds/versions.ts';
import { builtInSchema } from '../schema/builtIn.ts';
import { checkOptions } from '../managedFields/manager.ts';
import { badRequest, unsupportedMediaType } from '../status.ts';
import { applyPatch } from './apply.ts';
import { jsonPatch } from './jsonPatch.ts';
import { mergePatch } from './merge.ts';
import { strategicMerge } from './strategic.ts';

/** What a patch makes of an object, and of none where it may create one. */
export interface Patch {
  /** Changes what the client sees of the object, which is stored as `stored`. */
  readonly apply: (object: Json, stored: Stored) => Json;
  readonly create?: () => Json;
  /** Whether it says itself who manages what from now on. */
  readonly isApply?: true;
}

const jsonType = 'application/json-patch+json';
const mergeType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';
const applyType = 'application/apply-patch+yaml';

/** Reads the body of a patch request by its media type. */
export function parsePatch(call: Call, mediaType: string, body: Buffer): Patch {
  checkOptions(call, mediaType === applyType);
  const isCustom = call.type.custom !== undefined;
  const prefix = mediaType === jsonType ? 'json patch ' : '';
  const duplicates = duplicatesIn(call, body, mediaType).map((text) => `${prefix}${text}`);
  const readable = (object: Json, value: unknown) => {
    const patched = asObject(value);
    checkReadable(call, object, patched);
    const source = inPatched(patched);
    if (call.subresource === 'scale') return readScale(call, patched, source);
    return isCustom ? readCustom(call, patched, source, duplicates) : readBuiltIn(call, patched, source, duplicates);
  };
  if (mediaType === jsonType) {
    const operations = parsed(body);
    return { apply: (object) => readable(object, jsonPatch(object, operations)) };
  }
  if (mediaType === mergeType) {
    const patch = asMap(parsed(body));
    return { apply: (object) => readable(object, mergePatch(object, patch)) };
  }
  if (mediaType === strategicType && !isCustom) {
    // Go reads a null as a map of nothing.
    const patch = asObject(parsed(body) ?? {}, '');
    if (call.subresource === 'scale')
      return { apply: (object) => readScale(call, strategicMerge(object, patch, null), inStrategicPatch(patch)) };
    const schema = builtInSchema(call.type.group, call.type.kind);
    return { apply: (object) => readBuiltIn(call, strategicMerge(object, patch, schema), inStrategicPatch(patch)) };
  }
  if (mediaType === applyType) {
    const given = asObject(parseYaml(body));
    const stored = storedTypeOf(call.type);
    return stored === call.type
      ? applyPatch(call, given)
      : applyPatch({ ...call, type: stored }, toStored(call.type, given));
  }
  throw unsupportedMediaType([jsonType, mergeType, ...(isCustom ? [] : [strategicType]), applyType]);
}

function parsed(body: Buffer): unknown {
  const read = readJson(body.toString());
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
