import { dataPath, mysqlScript, postgresScript, redisScript, serverVariables, superuserPath } from './serverScripts.ts';

/** The images of servers on real nodes; that of Postgres is in its Cluster. */
export interface ServerImages {
  readonly mysql: string;
  readonly redis: string;
}

/** The public image with `redis-server`. */
export const redisImage = 'docker.io/library/redis:7.4';

/** The ports of servers. */
export const serverPorts = { postgres: 5432, mysql: 3306, redis: 6379 } as const;

/** What a server runs as, and how it is reached. */
export interface ServerPod {
  readonly port: number;
  readonly container: object;
  readonly volumes: readonly object[];
}

const fromSecret = (variable: string, name: string, key: string) => ({
  name: variable,
  valueFrom: { secretKeyRef: { name, key } },
});
const plain = (variable: string, value: string) => ({ name: variable, value });

/** The script starts as root, to give the volume to the server's user. */
const running = (image: string, script: string, port: number) => ({
  image,
  command: ['sh', '-c', script],
  securityContext: { runAsUser: 0 },
  ports: [{ containerPort: port, protocol: 'TCP' }],
  readinessProbe: { tcpSocket: { port }, periodSeconds: 2 },
});
const dataMount = { name: 'data', mountPath: dataPath };

export interface Bootstrap {
  readonly database?: string;
  readonly owner?: string;
  readonly secret?: { readonly name?: string };
}

export function postgresPod(image: string, superuser: string, { database = '', secret }: Bootstrap): ServerPod {
  const login = secret?.name ?? '';
  const port = serverPorts.postgres;
  return {
    port,
    container: {
      ...running(image, postgresScript, port),
      env: [
        fromSecret(serverVariables.username, login, 'username'),
        fromSecret(serverVariables.password, login, 'password'),
        plain(serverVariables.database, database),
      ],
      volumeMounts: [dataMount, { name: 'superuser', mountPath: superuserPath, readOnly: true }],
    },
    volumes: [{ name: 'superuser', secret: { secretName: superuser, optional: true } }],
  };
}

/** The login in the values of the chart. */
export interface ChartLogin {
  readonly existingSecret?: string;
  readonly username?: string;
  readonly database?: string;
  readonly existingSecretPasswordKey?: string;
}

export function mysqlPod(image: string, { existingSecret = '', username = '', database = '' }: ChartLogin): ServerPod {
  const port = serverPorts.mysql;
  return {
    port,
    container: {
      ...running(image, mysqlScript, port),
      env: [
        plain(serverVariables.username, username),
        fromSecret(serverVariables.password, existingSecret, 'mysql-root-password'),
        plain(serverVariables.database, database),
      ],
      volumeMounts: [dataMount],
    },
    volumes: [],
  };
}

export function redisPod(
  image: string,
  { existingSecret = '', existingSecretPasswordKey = '' }: ChartLogin,
): ServerPod {
  const port = serverPorts.redis;
  return {
    port,
    container: {
      ...running(image, redisScript, port),
      env: [fromSecret(serverVariables.password, existingSecret, existingSecretPasswordKey)],
      volumeMounts: [dataMount],
    },
    // Lives as long as the pod, so a restarted container keeps its data.
    volumes: [{ name: dataMount.name, emptyDir: {} }],
  };
}
