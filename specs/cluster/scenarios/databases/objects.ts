import { core } from '../objects.ts';

export const project = 'shop';
const environment = 'live';
const other = 'staging';
export const namespace = `${project}-${environment}`;
export const otherNamespace = `${project}-${other}`;

export const projectObject = (more: object = {}) =>
  core('CoreProject', project, { clusterRef: { name: 'local' }, environments: [environment, other], ...more });

export const cloudConnection = (name: string, endpoint: string) =>
  core('CoreCloudConnection', name, {
    project,
    provider: 'Cloud',
    region: 'us-east-1',
    endpoint,
    secretRef: { name },
  });

/** A small Postgres server, of the version that this machine has. */
export const postgres = (name: string, more: object = {}) =>
  core('CoreDatabase', name, {
    project,
    environment,
    engine: 'Postgres',
    version: '15',
    storageSize: '1Gi',
    resources: { requests: { cpu: '50m', memory: '128Mi' } },
    deploy: { enabled: true },
    ...more,
  });

export const haReadiness = () => core('CoreHAReadiness', 'platform', { requestedAt: new Date().toISOString() });

export const databaseOf = (name: string) => `coredatabase ${name} -n core-system`;
