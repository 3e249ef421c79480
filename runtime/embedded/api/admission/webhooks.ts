import type { Json } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';
import { type Cause, StatusError, invalid } from '../status.ts';

/** The admission webhook of a controller that is acted out in this process: it refuses what the controller would. */
export interface Webhook {
  readonly name: string;
  /** The plural and the group of the objects that it is called for. */
  readonly plural: string;
  readonly group: string;
  /** As its refusals call the kind. */
  readonly about: { readonly group: string; readonly kind: string };
  /** What is wrong with an object that is written over another one, or is new. */
  readonly faults: (object: Json, old: Json | null) => readonly Cause[];
}

/** A write of an object, as far as webhooks judge it. */
interface Written {
  readonly type: Pick<ResourceType, 'group' | 'plural'>;
  readonly name: string;
  readonly object: Json | null;
  readonly old: Json | null;
}

/** Throws the refusal of the first webhook that denies a write. */
export function checkWebhooks(webhooks: readonly Webhook[], { type, name, object, old }: Written): void {
  if (object === null) return;
  for (const webhook of webhooks) {
    if (webhook.group !== type.group || webhook.plural !== type.plural) continue;
    const faults = webhook.faults(object, old);
    if (faults.length > 0) throw denied(webhook, invalid(webhook.about.group, webhook.about.kind, name, faults));
  }
}

/** The API server hands on the answer of a webhook, under its name. */
function denied({ name }: Webhook, { body: { code, reason = '', message = '', details } }: StatusError): StatusError {
  return new StatusError(code, reason, `admission webhook "${name}" denied the request: ${message}`, details);
}
