import { parseJson, parseYaml } from '../body.ts';
import type { Call } from '../call.ts';
import { type Json, isJson } from '../json.ts';
import { checkReadable } from '../kinds/identity.ts';
import { badRequest, unsupportedMediaType } from '../status.ts';
import { applyPatch } from './apply.ts';
import { jsonPatch } from './jsonPatch.ts';
import { mergePatch } from './merge.ts';
import { strategicMerge } from './strategic.ts';

/** What a patch makes of an object, and of none where it may create one. */
export interface Patch {
  readonly apply: (object: Json) => Json;
  readonly create?: () => Json;
}

const jsonType = 'application/json-patch+json';
const mergeType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';
const applyType = 'application/apply-patch+yaml';

/** Reads the body of a patch request by its media type. */
export function parsePatch(call: Call, mediaType: string, body: Buffer): Patch {
  const isCustom = call.type.custom !== undefined;
  const readable = (object: Json, patched: unknown) => {
    checkReadable(call, object, asObject(patched));
    return asObject(patched);
  };
  if (mediaType === jsonType) {
    const operations = parseJson(body);
    return { apply: (object) => readable(object, jsonPatch(object, operations)) };
  }
  if (mediaType === mergeType) {
    const patch = asObject(parseJson(body));
    return { apply: (object) => readable(object, mergePatch(object, patch)) };
  }
  if (mediaType === strategicType && !isCustom) {
    const patch = asObject(parseJson(body));
    return { apply: (object) => asObject(strategicMerge(object, patch)) };
  }
  if (mediaType === applyType) return applyPatch(call, asObject(parseYaml(body)));
  throw unsupportedMediaType([jsonType, mergeType, ...(isCustom ? [] : [strategicType]), applyType]);
}

function asObject(value: unknown): Json {
  if (!isJson(value)) throw badRequest('a patch must leave an object');
  return value;
}
