import type { Pod } from '../../../../crds/builtIn.ts';
import type { ClaimSeen } from '../../../owned/addonKinds.ts';
import type { Condition, ServerStatus } from './server.ts';

/** One step of the operator, after which it reads the server again. */
export type Step =
  | {
      readonly is: 'report';
      /** An undefined field is removed. */
      readonly status: { readonly [Field in keyof ServerStatus]?: ServerStatus[Field] | undefined };
      readonly conditions?: readonly Condition[];
    }
  | { readonly is: 'claim' | 'pod'; readonly instance: string }
  | { readonly is: 'grow'; readonly claims: readonly ClaimSeen[]; readonly size: string }
  | { readonly is: 'delete'; readonly pods: readonly Pod[]; readonly claims: readonly ClaimSeen[] }
  | { readonly is: 'wait' };
