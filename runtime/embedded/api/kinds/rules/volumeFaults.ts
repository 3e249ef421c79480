import { at, isJson, jsonAt, listAt, textAt } from '../../json.ts';
import { forbiddenField, invalidValue, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { annotationFaults, labelFaults, labelNameFaults } from '../metadata.ts';
import { claimFaults } from './storage.ts';

/** Where a volume comes from, in the order in which the API looks. */
const volumeSources = [
  'emptyDir hostPath gitRepo gcePersistentDisk awsElasticBlockStore secret nfs iscsi glusterfs',
  'persistentVolumeClaim rbd cinder cephfs flocker downwardAPI fc flexVolume azureFile configMap vsphereVolume',
  'quobyte azureDisk portworxVolume scaleIO projected photonPersistentDisk storageos csi ephemeral image',
].flatMap((names) => names.split(' '));

/** What is wrong with a volume of a pod: its name, its one source, and what that says. */
export const volumeFaults = (volume: unknown, path: string): readonly Cause[] => [
  ...volumeNameFaults(textAt(volume, 'name'), `${path}.name`),
  ...volumeSources
    .filter((name) => at(volume, name) !== undefined)
    .slice(1)
    .map((name) => forbiddenField(`${path}.${name}`, 'may not specify more than 1 volume type')),
  ...named(volume, 'configMap', 'name', path),
  ...named(volume, 'secret', 'secretName', path),
  ...named(volume, 'persistentVolumeClaim', 'claimName', path),
  ...['configMap', 'secret', 'downwardAPI', 'projected'].flatMap((name) =>
    fileFaults(at(volume, name), `${path}.${name}`),
  ),
  ...listAt(volume, 'projected', 'sources').flatMap((source, index) =>
    projectedFaults(source, `${path}.projected.sources[${index}]`),
  ),
  ...(isJson(at(volume, 'ephemeral')) ? ephemeralFaults(at(volume, 'ephemeral'), `${path}.ephemeral`) : []),
];

const volumeNameFaults = (name: string, path: string): readonly Cause[] =>
  name === '' ? [required(path)] : labelNameFaults(name, path);

const named = (volume: unknown, source: string, field: string, path: string): readonly Cause[] =>
  isJson(at(volume, source)) && textAt(volume, source, field) === '' ? [required(`${path}.${source}.${field}`)] : [];

const projectedFaults = (source: unknown, path: string): readonly Cause[] =>
  ['configMap', 'secret'].flatMap((name) => [
    ...named(source, name, 'name', path),
    ...fileFaults(at(source, name), `${path}.${name}`),
  ]);

const isMode = (value: unknown) => value === undefined || (Number(value) >= 0 && Number(value) <= 0o777);
const modeRule = 'must be a number between 0 and 0777 (octal), both inclusive';

/** What is wrong with the files that a source makes: their modes, and where they are put. */
function fileFaults(source: unknown, path: string): readonly Cause[] {
  const { defaultMode } = jsonAt(source);
  return [
    ...(isMode(defaultMode) ? [] : [invalidValue(`${path}.defaultMode`, defaultMode, modeRule)]),
    ...listAt(source, 'items').flatMap((item, index) => itemFaults(item, `${path}.items[${index}]`)),
  ];
}

function itemFaults(item: unknown, path: string): readonly Cause[] {
  const { mode } = jsonAt(item);
  return [
    ...(isMode(mode) ? [] : [invalidValue(`${path}.mode`, mode, modeRule)]),
    ...insideFaults(textAt(item, 'path'), `${path}.path`),
  ];
}

/** A path below a volume does not lead out of it. */
export function insideFaults(inside: string, path: string): readonly Cause[] {
  if (inside.startsWith('/')) return [invalidValue(path, inside, 'must be a relative path')];
  return inside.split('/').includes('..') ? [invalidValue(path, inside, "must not contain '..'")] : [];
}

/** What is wrong with the claim that is made for each pod, which names it. */
function ephemeralFaults(source: unknown, path: string): readonly Cause[] {
  const template = at(source, 'volumeClaimTemplate');
  const field = `${path}.volumeClaimTemplate`;
  if (!isJson(template)) return [required(field)];
  const { labels, annotations, ...others } = jsonAt(template, 'metadata');
  return [
    ...labelFaults(labels, `${field}.metadata.labels`),
    ...annotationFaults(annotations, `${field}.metadata.annotations`),
    ...Object.keys(others).map((name) => forbiddenField(`${field}.metadata.${name}`, 'cannot be set')),
    ...claimFaults(template, field),
  ];
}
