import type { CoreProject } from '../../crds/coreProject.ts';
import { changed, type ProjectChange } from '../project/change.ts';
import type { BackupStorage } from './place.ts';

/** New backup storage of a project; archives that exist keep theirs (decision 87). */
export function storageSaved({ spec }: CoreProject, asked: BackupStorage): ProjectChange {
  const { connectionRef, bucket, region } = spec.backupStorage ?? {};
  const isSame =
    connectionRef?.name === asked.connectionRef.name &&
    bucket === asked.bucket &&
    (region ?? '') === (asked.region ?? '');
  return changed(isSame ? null : { spec: { backupStorage: { region: null, ...asked } } });
}

export const storageCleared = ({ spec }: CoreProject): ProjectChange =>
  changed(spec.backupStorage === undefined ? null : { spec: { backupStorage: null } });
