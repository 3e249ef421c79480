import { coreDatabase, type CoreDatabase, type DatabaseSpec } from '../../crds/coreDatabase.ts';
import { typeMeta } from '../../crds/kind.ts';
import { inSystem } from '../support/project.ts';

/** A deployed SQLite database of a project, as a person makes it by hand. */
export const benchDatabase = (name: string, spec: Partial<DatabaseSpec> = {}): CoreDatabase => ({
  ...typeMeta(coreDatabase),
  metadata: { ...inSystem(name), generation: 1 },
  spec: {
    project: 'shop',
    environment: 'production',
    engine: 'SQLite',
    placement: 'InCluster',
    highAvailability: false,
    version: '16',
    instances: 1,
    deploy: { enabled: true },
    ...spec,
  },
});

/** What makes it one of another host, with its password in a Secret. */
export const elsewhere = (secret: string): Partial<DatabaseSpec> => ({
  engine: 'MySQL',
  placement: 'External',
  externalHost: 'db.example',
  username: 'app',
  passwordSecretRef: { name: secret, key: 'password' },
});

export const passwordSecret = (name: string, text: string) => ({
  metadata: inSystem(name),
  data: { password: Buffer.from(text).toString('base64') },
});
