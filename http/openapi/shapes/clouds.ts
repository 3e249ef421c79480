import { Optional as optional, Type } from '@sinclair/typebox';
import { coreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import { coreProject } from '../../../crds/coreProject.ts';
import { objectName } from '../kit.ts';

const { provider, region, endpoint, iamEndpoint } = coreCloudConnection.spec.properties;
const { bucket, region: bucketRegion } = coreProject.spec.properties.backupStorage.properties;
const key = (description: string) => optional(Type.String({ description, maxLength: 1_024 }));

const settings = { region, endpoint, iamEndpoint };
const keys = {
  accessKeyId: key('Key of the account, for the provider `Cloud`.'),
  secretAccessKey: key('Its secret; never read back.'),
  organization: key('Organization at the provider `ManagedDb`.'),
  token: key('Its token; never read back.'),
};

/** A new link to an account, with its keys. */
export const cloudConnectionAsked = Type.Object(
  {
    name: Type.String({
      description: 'At most 40 lowercase letters, digits and hyphens.',
      pattern: '^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$',
    }),
    provider,
    ...settings,
    ...keys,
  },
  { title: 'CloudConnectionAsked' },
);

/** Other settings or keys of a connection; what is left out stays. An address that is set stays as it is. */
export const cloudConnectionChanged = Type.Object({ ...settings, ...keys }, { title: 'CloudConnectionChanged' });

/** Where the backups of a project go. */
export const backupStorageAsked = Type.Object(
  {
    connection: Type.String({ ...objectName, description: 'A cloud connection of the project.' }),
    bucket: optional({ ...bucket, description: 'Created when it does not exist; without one, a name is drawn.' }),
    region: bucketRegion,
  },
  { title: 'BackupStorageAsked' },
);
