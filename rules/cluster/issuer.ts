import type { KubeObject } from '../../crds/kind.ts';
import type { Condition } from '../condition.ts';
import type { VerdictRule } from '../verdict.ts';
import { external, open, type Message } from '../words.ts';

/** The issuer of every certificate of the platform (002 Authentication, rule 7). */
export const issuerName = 'acme-prod';

/** What the certificates of a cluster depend on. */
export interface IssuerSeen {
  readonly email: string;
  /** Whether the certificate manager is installed. */
  readonly isServed: boolean;
  /** The certificate manager's condition of the issuer; null before there is one. */
  readonly ready: Pick<Condition, 'status' | 'reason' | 'message'> | null;
}

const waiting: Message = open('The certificate manager has not registered the issuer yet');

/** The condition ClusterIssuerReady: what is missing, else the certificate manager's condition. */
export const issuerVerdicts: readonly VerdictRule<IssuerSeen>[] = [
  {
    reason: 'ACMEEmailMissing',
    status: 'False',
    when: ({ email }) => email === '',
    message: () => open('spec.acmeEmail is not set, so no certificates are issued'),
  },
  {
    reason: 'CertificateManagerMissing',
    status: 'False',
    when: ({ isServed }) => !isServed,
    message: () => open('The certificate manager is not installed in the cluster'),
  },
  { reason: 'IssuerPending', status: 'False', when: ({ ready }) => ready === null, message: () => waiting },
  {
    reason: 'IssuerReady',
    status: 'True',
    when: ({ ready }) => ready?.status === 'True',
    message: () => open('Certificates are issued'),
  },
  {
    reason: 'IssuerNotReady',
    status: 'False',
    when: () => true,
    message: ({ ready }) => external(ready?.message ?? ''),
  },
];

interface ClusterIssuer extends KubeObject {
  readonly spec: object;
}

/** The issuer as cert-manager reads it: it answers challenges over HTTP, on port 80. */
export const clusterIssuer = (email: string, directory: string): ClusterIssuer => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'ClusterIssuer',
  metadata: { name: issuerName },
  spec: {
    acme: {
      email,
      server: directory,
      privateKeySecretRef: { name: issuerName },
      solvers: [{ http01: { ingress: {} } }],
    },
  },
});
