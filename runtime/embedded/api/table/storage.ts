import type { Stored } from '../../store.ts';
import { at, jsonAt, listAt, textAt, wordOf } from '../json.ts';
import { type Cell, aged, path, text, wide } from './cell.ts';
import { type Column, nameColumn } from './column.ts';

const short: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** Access modes in their short forms and their usual order. */
const accessModes = (modes: readonly unknown[]): string =>
  Object.entries(short)
    .filter(([mode]) => modes.includes(mode))
    .map(([, word]) => word)
    .join(',');

const phase: Cell = (object) =>
  object.metadata.deletionTimestamp === undefined ? textAt(object, 'status', 'phase') : 'Terminating';
const unset =
  (...steps: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...steps) || '<unset>';
const plain =
  (...steps: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...steps);
const flag = (name: string, ...steps: readonly string[]): Column => ({
  name,
  type: 'boolean',
  cell: (object) => at(object, ...steps) === true,
});

function claimOf(volume: Stored): string {
  const claim = jsonAt(volume, 'spec', 'claimRef');
  return claim['name'] === undefined ? '' : `${wordOf(claim['namespace'] ?? '')}/${wordOf(claim['name'])}`;
}

const isBound = (claim: Stored) => textAt(claim, 'spec', 'volumeName') !== '';
const defaultClass = 'storageclass.kubernetes.io/is-default-class';

/** The columns of the kinds that hold data. */
export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  PersistentVolume: [
    nameColumn,
    text('Capacity', plain('spec', 'capacity', 'storage')),
    text('Access Modes', (volume) => accessModes(listAt(volume, 'spec', 'accessModes'))),
    text('Reclaim Policy', plain('spec', 'persistentVolumeReclaimPolicy')),
    text('Status', phase),
    text('Claim', claimOf),
    text('StorageClass', plain('spec', 'storageClassName')),
    text('VolumeAttributesClass', unset('spec', 'volumeAttributesClassName')),
    text('Reason', plain('status', 'reason')),
    aged,
    wide('VolumeMode', unset('spec', 'volumeMode')),
  ],
  PersistentVolumeClaim: [
    nameColumn,
    text('Status', phase),
    text('Volume', plain('spec', 'volumeName')),
    text('Capacity', (claim) => (isBound(claim) ? textAt(claim, 'status', 'capacity', 'storage') : '')),
    text('Access Modes', (claim) => (isBound(claim) ? accessModes(listAt(claim, 'status', 'accessModes')) : '')),
    text('StorageClass', plain('spec', 'storageClassName')),
    text('VolumeAttributesClass', unset('spec', 'volumeAttributesClassName')),
    aged,
    wide('VolumeMode', unset('spec', 'volumeMode')),
  ],
  StorageClass: [
    {
      ...nameColumn,
      cell: ({ metadata }) => `${metadata.name}${metadata.annotations?.[defaultClass] === 'true' ? ' (default)' : ''}`,
    },
    text('Provisioner', plain('provisioner')),
    text('ReclaimPolicy', plain('reclaimPolicy')),
    text('VolumeBindingMode', plain('volumeBindingMode')),
    flag('AllowVolumeExpansion', 'allowVolumeExpansion'),
    aged,
  ],
  CSIDriver: [
    nameColumn,
    flag('AttachRequired', 'spec', 'attachRequired'),
    flag('PodInfoOnMount', 'spec', 'podInfoOnMount'),
    flag('StorageCapacity', 'spec', 'storageCapacity'),
    text('TokenRequests', (driver) => {
      const audiences = listAt(driver, 'spec', 'tokenRequests').map((one) => textAt(one, 'audience'));
      return audiences.length === 0 ? '<unset>' : audiences.join(',');
    }),
    flag('RequiresRepublish', 'spec', 'requiresRepublish'),
    text('Modes', (driver) => listAt(driver, 'spec', 'volumeLifecycleModes').map(wordOf).join(',') || '<none>'),
    aged,
  ],
  CSINode: [
    nameColumn,
    { name: 'Drivers', type: 'integer', cell: (node) => listAt(node, 'spec', 'drivers').length },
    aged,
  ],
  CSIStorageCapacity: [
    nameColumn,
    text('StorageClassName', plain('storageClassName')),
    text('Capacity', unset('capacity')),
  ],
  VolumeAttachment: [
    nameColumn,
    text('Attacher', path('spec', 'attacher')),
    text('PV', plain('spec', 'source', 'persistentVolumeName')),
    text('Node', path('spec', 'nodeName')),
    flag('Attached', 'status', 'attached'),
    aged,
  ],
};
