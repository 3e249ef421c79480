import { type Json, isJson, jsonAt } from '../../json.ts';
import { defaulted, eachItem } from './rule.ts';

/** A reference to a field of the pod, or to an amount of one of its containers, as the API completes it. */
export const withReference = (holder: Json): Json => ({
  ...holder,
  ...(isJson(holder['fieldRef']) && { fieldRef: defaulted(jsonAt(holder, 'fieldRef'), { apiVersion: 'v1' }) }),
  ...(isJson(holder['resourceFieldRef']) && {
    resourceFieldRef: { divisor: '0', ...jsonAt(holder, 'resourceFieldRef') },
  }),
});

const withItems = (source: Json): Json => ({ ...source, ...eachItem(source, 'items', withReference) });

const projectedSource = (source: Json): Json => ({
  ...source,
  ...(isJson(source['downwardAPI']) && { downwardAPI: withItems(jsonAt(source, 'downwardAPI')) }),
  ...(isJson(source['serviceAccountToken']) && {
    serviceAccountToken: { expirationSeconds: 3_600, ...jsonAt(source, 'serviceAccountToken') },
  }),
});

/** The claim that is made for each pod. */
function ephemeral(source: Json): Json {
  const template = source['volumeClaimTemplate'];
  if (!isJson(template)) return source;
  const spec = defaulted(jsonAt(template, 'spec'), { volumeMode: 'Filesystem' });
  return { ...source, volumeClaimTemplate: { metadata: {}, ...template, spec } };
}

const mode = { defaultMode: 420 };

/** What each source of a volume is completed with. */
const sources: ReadonlyMap<string, (source: Json) => Json> = new Map([
  ['secret', (source) => ({ ...mode, ...source })],
  ['configMap', (source) => ({ ...mode, ...source })],
  ['downwardAPI', (source) => ({ ...mode, ...withItems(source) })],
  ['projected', (source) => ({ ...mode, ...source, ...eachItem(source, 'sources', projectedSource) })],
  ['hostPath', (source) => ({ type: '', ...source })],
  ['ephemeral', ephemeral],
]);

/** A volume as the API completes it: one without a source is an empty folder. */
export function volumeDefaults(volume: Json): Json {
  const given = Object.keys(volume).filter((name) => name !== 'name');
  if (given.length === 0) return { ...volume, emptyDir: {} };
  const filled = given.flatMap((name) => {
    const fill = sources.get(name);
    return fill && isJson(volume[name]) ? [[name, fill(jsonAt(volume, name))] as const] : [];
  });
  return { ...volume, ...Object.fromEntries(filled) };
}
