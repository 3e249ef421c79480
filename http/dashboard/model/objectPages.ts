import type { Instance } from '../../api.ts';
import { addressOf } from '../routes.ts';

interface ObjectPage {
  readonly to: string;
  readonly label: string;
}

type Placed = Pick<Instance, 'id' | 'kind' | 'machine' | 'name' | 'project' | 'environment' | 'columns'>;

/** The object's part of an instance's id; the rest names an entry in its status. */
export const objectIdOf = (id: string): string => id.split(':').slice(0, 2).join(':');

const projectIn = ({ id }: Placed): string => id.split(':')[1] ?? '';

/** Machines of entries and of the platform's settings, by what they are set on. */
const ofMachines: Readonly<Record<string, (of: Placed) => readonly [what: string, to: string]>> = {
  webhookDelivery: (of) => ['webhooks', addressOf.projectSettings(projectIn(of), 'webhooks')],
  pullRequestEnvironment: (of) => ['pull requests', addressOf.projectSettings(projectIn(of), 'pull-requests')],
  dnsProviderReady: () => ['connectors', addressOf.platform('connectors')],
  dashboardDomainReady: () => ['domain', addressOf.platform('domain')],
};
const ofKinds: typeof ofMachines = {
  CoreApp: (of) => ['service', addressOf.service(of)],
  CoreLogicalDatabase: (of) => ['logical database', addressOf.logicalDatabase(of)],
  CoreBackupArchive: ({ name }) => ['backups', addressOf.backup(name)],
  CoreDeployment: ({ columns }) => ['service', addressOf.named(columns['app'] ?? '')],
  CoreProject: (of) => ['project', addressOf.project({ project: projectIn(of) })],
};

/** Where the object of an instance is shown, if anywhere; settings of the platform are the admins' alone. */
export function objectPageOf(instance: Placed, isAdmin: boolean): ObjectPage | null {
  const { kind, machine } = instance;
  if (kind === 'CorePlatformConfig' && !isAdmin) return null;
  const [what, to] = (ofMachines[machine] ?? ofKinds[kind])?.(instance) ?? [];
  return to === undefined ? null : { to, label: `Open ${what}` };
}
