import type { Instance } from '../../api.ts';
import { addressOf } from '../routes.ts';

interface ObjectPage {
  readonly to: string;
  readonly word: string;
}

type Placed = Pick<Instance, 'id' | 'kind' | 'machine' | 'name' | 'project' | 'environment' | 'columns'>;

/** The object's part of an instance's id; the rest names an entry in its status. */
export const objectIdOf = (id: string): string => id.split(':').slice(0, 2).join(':');

const nameIn = (id: string): string => id.split(':')[1] ?? '';

function pageOfProject({ id, machine }: Placed): ObjectPage {
  const project = nameIn(id);
  if (machine === 'webhookDelivery')
    return { to: addressOf.projectSettings(project, 'webhooks'), word: 'Open webhooks' };
  if (machine === 'pullRequestEnvironment')
    return { to: addressOf.projectSettings(project, 'pull-requests'), word: 'Open pull requests' };
  return { to: addressOf.project({ project }), word: 'Open project' };
}

/** Where an object of a kind without an own instance page is shown; settings of the platform are the admins' alone. */
export function objectPagesOf(instance: Placed, isAdmin: boolean): readonly ObjectPage[] {
  const { kind, machine, name, columns } = instance;
  switch (kind) {
    case 'CoreApp':
      return [{ to: addressOf.service(instance), word: 'Open service' }];
    case 'CoreLogicalDatabase':
      return [{ to: addressOf.logicalDatabase(instance), word: 'Open logical database' }];
    case 'CoreBackupArchive':
      return [{ to: addressOf.backup(name), word: 'Open backups' }];
    case 'CoreDeployment':
      return columns['app'] === undefined ? [] : [{ to: addressOf.named(columns['app']), word: 'Open service' }];
    case 'CoreProject':
      return [pageOfProject(instance)];
    case 'CorePlatformConfig':
      return isAdmin
        ? [
            machine === 'dnsProviderReady'
              ? { to: addressOf.platform('connectors'), word: 'Open connectors' }
              : { to: addressOf.platform('domain'), word: 'Open domain' },
          ]
        : [];
    default:
      return [];
  }
}
