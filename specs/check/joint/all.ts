import { joint as database } from '../../lifecycles/joint/database.ts';
import { joint as databaseBackup } from '../../lifecycles/joint/databaseBackup.ts';
import { joint as project } from '../../lifecycles/joint/project.ts';
import { joint as service } from '../../lifecycles/joint/service.ts';
import { exploreJoint } from './explore.ts';
import type { AnyJoint } from './joint.ts';
import { joinedText } from './text.ts';

/** The kinds that have several machines, each with the world that these share. */
export const joints: readonly AnyJoint[] = [database, databaseBackup, project, service];

/** Searches them, reports on each, and counts those with faults. */
export function searchJoints(print: (line: string) => void, those: readonly AnyJoint[] = joints): number {
  const found = those.map((of) => {
    const joined = exploreJoint(of);
    print(joinedText(joined));
    return joined;
  });
  return found.filter(({ broken, searched }) => broken.length > 0 || !searched.exhaustive).length;
}
