import * as assert from 'uvu/assert';
import { until } from '../../../support/until.ts';
import { eased, isNone, objectOf, seconds } from '../../core.ts';
import type { Steps } from '../../step.ts';
import { isProtected, moment } from './creation.ts';
import { databaseOf, namespace } from './objects.ts';

interface Archive {
  readonly spec: { readonly deleteAfter?: string };
  readonly status?: { readonly restorePoints?: readonly { readonly time: string }[] };
}

/** A deleted database is backed up once more. */
export const deletion: Steps = (cluster) => [
  {
    scenario: 'databases',
    title: 'a deleted database takes a last backup and leaves its archive alone',
    after: [isProtected],
    run: async () => {
      const archive = () => objectOf<Archive>(cluster, `corebackuparchive ${moment.archive} -n core-system`);
      const before = (await archive())?.status?.restorePoints ?? [];
      const from = Date.now();
      await cluster.kubectl(`delete ${databaseOf('books')} --wait=false`);
      const gone = async () => (await objectOf(cluster, databaseOf('books'))) === null;
      await until(eased(gone), 'books is gone', 150_000);
      const goneAfter = Date.now() - from;
      const left = await until(
        eased(async () => {
          const kept = await archive();
          return (kept?.spec.deleteAfter ?? '') !== '' && kept;
        }),
        'the archive has a day on which it goes',
        30_000,
      );
      const points = left.status?.restorePoints ?? [];
      assert.ok(points.length > before.length, `a last backup is among ${JSON.stringify(points)}`);
      const secrets = await cluster.kubectl(
        `get secrets,services,pvc,cluster,backup,scheduledbackup -n ${namespace} -o name`,
      );
      isNone(
        secrets.split('\n').filter((name) => /\/books(?:-(?!again)|$)/.test(name)),
        'objects of the deleted database',
      );
      return `gone after ${seconds(goneAfter)}, ${points.length} restore points until ${left.spec.deleteAfter}`;
    },
  },
];
