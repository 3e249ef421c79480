import type { Secret } from '../../crds/builtIn.ts';
import { coreObjectStore, type CoreObjectStore, type ObjectStoreSpec } from '../../crds/coreObjectStore.ts';
import type { KubeObject, OwnerReference } from '../../crds/kind.ts';
import { bucketSecretName, label, managedBy, systemNamespace } from '../../crds/names.ts';
import { hardenedPod } from '../hardenedPod.ts';
import { ownerReference } from '../owned/ownerReference.ts';
import { type Placement, podPlacement } from '../placement.ts';
import { claimName, iamPort, rootSecretName, serverPort } from './names.ts';

/** The owner reference by which an object is deleted with a store, even if a paused leader writes it late. */
export const goesWith = (store: CoreObjectStore): OwnerReference => ownerReference(coreObjectStore, store);

const selectorOf = ({ metadata }: CoreObjectStore) => ({
  [label.managedBy]: managedBy,
  [label.kind]: 'CoreObjectStore',
  [label.name]: metadata.name,
  [label.systemNamespace]: systemNamespace,
});

/** What a service of the environment needs to use a bucket. */
export interface BucketConnection {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** The Secret of the environment that services name in `spec.connectionRefs`. */
export const bucketSecret = (store: CoreObjectStore, namespace: string, connection: BucketConnection): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: bucketSecretName(store.metadata.name),
    namespace,
    labels: {
      [label.project]: store.spec.project ?? '',
      [label.environment]: store.spec.environment ?? '',
    },
  },
  data: Object.fromEntries(Object.entries(connection).map(([key, value]) => [key, encoded(value)])),
});

/** The image of object store servers. */
export const objectStoreImage = 'docker.io/chrislusf/seaweedfs:3.97';

export interface ServerSettled {
  readonly image: string;
  readonly placement: Placement;
  readonly storageClass: string;
}

const defaultSize = '10Gi';

interface Built extends KubeObject {
  readonly spec: object;
}

/** A server in core-system: SeaweedFS, which speaks S3 and IAM, over one volume. */
export function serverObjects(
  store: CoreObjectStore,
  { storageSize }: ObjectStoreSpec,
  settled: ServerSettled,
  replicas: 0 | 1,
): readonly Built[] {
  const { name } = store.metadata;
  const metadata = { namespace: systemNamespace };
  const ports = [
    { name: 's3', port: serverPort },
    { name: 'iam', port: iamPort },
  ];
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...metadata, name: claimName(name) },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: storageSize ?? defaultSize } },
        ...(settled.storageClass === '' ? {} : { storageClassName: settled.storageClass }),
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name },
      spec: {
        selector: selectorOf(store),
        ports: ports.map((one) => ({ ...one, protocol: 'TCP', targetPort: one.name })),
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        ...metadata,
        name,
        // Terminals find the pod of a server through the owner.
        ownerReferences: [{ ...goesWith(store), controller: true }],
      },
      spec: {
        replicas,
        // Two pods would share a volume that only one may write to.
        strategy: { type: 'Recreate' },
        selector: { matchLabels: selectorOf(store) },
        template: podTemplate(store, settled),
      },
    },
  ];
}

const fromSecret = (store: string, variable: string, key: string) => ({
  name: variable,
  valueFrom: { secretKeyRef: { name: rootSecretName(store), key } },
});

function podTemplate(store: CoreObjectStore, { image, placement }: ServerSettled) {
  const { name } = store.metadata;
  return {
    metadata: { labels: selectorOf(store) },
    spec: {
      ...podPlacement(placement),
      ...hardenedPod,
      containers: [
        {
          name: 'store',
          image,
          args: ['server', '-dir=/data', '-s3', `-s3.port=${serverPort}`, '-iam', `-iam.port=${iamPort}`],
          env: [
            fromSecret(name, 'AWS_ACCESS_KEY_ID', 'ACCESS_KEY_ID'),
            fromSecret(name, 'AWS_SECRET_ACCESS_KEY', 'ACCESS_SECRET_KEY'),
          ],
          ports: [
            { name: 's3', containerPort: serverPort },
            { name: 'iam', containerPort: iamPort },
          ],
          resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          readinessProbe: { tcpSocket: { port: 's3' }, periodSeconds: 5 },
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claimName(name) } }],
    },
  };
}
