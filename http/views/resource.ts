import type { KubeObject } from '../../crds/kind.ts';
import type { KindName } from '../../crds/kinds.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { type Condition, conditionOf } from '../../rules/condition.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { type Reported, stateOf } from '../../rules/state.ts';
import type { Read, Summary } from '../api.ts';

/** An object that belongs to an environment, or to the cluster where it names none. */
interface Placed extends KubeObject {
  readonly spec: { readonly project?: string; readonly environment?: string };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface ResourceKind<O extends KubeObject> {
  readonly kind: KindName;
  /** What the summary of this kind tells besides, of what the view may read; `reason` is that of Ready. */
  readonly details: (object: O, copy: RedactedCopy<O>, reason: string) => Summary['details'];
  readonly url?: (copy: RedactedCopy<O>) => string;
}

/** How the objects of a kind with a Ready condition are told in lists and reads, each redacted for a view (decision 23). */
export function resourceViews<O extends Placed>({ kind, details, url = () => '' }: ResourceKind<O>) {
  const summaryOf = (object: O, copy: RedactedCopy<O>, view: View): Summary => {
    const { metadata } = copy;
    const ready = conditionOf(object, 'Ready') ?? { reason: '', message: '' };
    return {
      kind,
      name: metadata.name,
      displayName: metadata.annotations?.[annotation.displayName] ?? metadata.name,
      project: object.spec.project ?? '',
      environment: object.spec.environment ?? '',
      state: stateOf(object as Reported),
      message: messageInWords(ready, view),
      createdAt: metadata.creationTimestamp ?? '',
      url: url(copy),
      details: details(object, copy, ready.reason),
    };
  };
  return {
    summary: (object: O, view: View): Summary => summaryOf(object, redacted(kind, object, view), view),
    read: (object: O, view: View): Read => {
      const copy = redacted(kind, object, view);
      return { resource: summaryOf(object, copy, view), spec: copy.spec, status: copy.status };
    },
  };
}
