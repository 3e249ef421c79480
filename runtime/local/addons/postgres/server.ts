import type { KubeObject } from '../../../../crds/kind.ts';
import type { Bootstrap } from '../realServers.ts';

/** A condition of a server, as its operator writes it. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** The simulated part of a server's status. */
export interface ServerStatus {
  readonly phase?: string;
  readonly phaseReason?: string;
  readonly instances?: number;
  readonly instanceNames?: readonly string[];
  readonly readyInstances?: number;
  readonly instancesStatus?: Readonly<Record<string, readonly string[]>>;
  readonly currentPrimary?: string;
  readonly targetPrimary?: string;
  readonly image?: string;
  readonly pgDataImageInfo?: { readonly image: string; readonly majorVersion: number };
  readonly conditions?: readonly Condition[];
}

/** A server of the Postgres operator. */
export interface Server extends KubeObject {
  readonly spec?: {
    readonly instances?: number;
    readonly imageName?: string;
    readonly bootstrap?: { readonly initdb?: Bootstrap };
    readonly resources?: object;
    readonly storage?: { readonly size?: string; readonly storageClass?: string };
    readonly affinity?: { readonly nodeSelector?: object; readonly tolerations?: readonly object[] };
    readonly enableSuperuserAccess?: boolean;
    readonly inheritedMetadata?: { readonly labels?: Readonly<Record<string, string>> };
    readonly backup?: {
      readonly barmanObjectStore?: {
        readonly destinationPath?: string;
        readonly endpointURL?: string;
        readonly serverName?: string;
        readonly s3Credentials?: { readonly accessKeyId?: { readonly name?: string } };
      };
    };
  };
  readonly status?: ServerStatus;
}

/** The major version in the tag of an image; 0 when it has none. */
export const majorOf = (image: string): number => Number(/:(\d+)[^/]*$/.exec(image)?.[1] ?? 0);

/** The number behind the name of its server, by which instances are ordered. */
export const serialOf = (instance: string): number => Number(/-(\d+)$/.exec(instance)?.[1] ?? 0);
