import type { KubeObject } from '../../crds/kind.ts';
import type { KindName } from '../../crds/kinds.ts';
import { annotation } from '../../crds/names.ts';
import type { View } from '../../rules/access/needs.ts';
import { type Condition, conditionOf } from '../../rules/condition.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { messageInWords } from '../../rules/redaction/words.ts';
import { type State, stateOf } from '../../rules/state.ts';
import type { Read, Summary } from '../routes/resource.ts';
import { worstCauseView } from './cause.ts';

/** An object that belongs to an environment, or to the cluster where it names none. */
interface Placed extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Where an object says that it belongs. */
interface Place {
  readonly project?: string;
  readonly environment?: string;
}

interface ResourceKind<O extends KubeObject> {
  readonly kind: KindName;
  /** The fields of the summary that only this kind has, of what the view may read. */
  readonly details: (object: O, copy: RedactedCopy<O>, context: SummaryContext) => Summary['details'];
  readonly url?: (copy: RedactedCopy<O>) => string;
  /** What people call it, where its annotation does not say it alone. */
  readonly called?: (copy: RedactedCopy<O>) => string;
  readonly state?: (object: O) => State;
  /** The condition whose words are its message; Ready where it is left out. */
  readonly said?: (object: O) => Condition | undefined;
}

/** What the fields of one kind may need besides the object. */
export interface SummaryContext {
  /** The reason of Ready. */
  readonly reason: string;
  readonly view: View;
}

/**
 * How the objects of a kind are shown in lists and reads, each redacted for a view (decision 23). Hints of causes name
 * clone addresses under `gitUrl`.
 */
export function resourceViews<O extends Placed>({
  kind,
  details,
  url = () => '',
  called = () => '',
  state = stateOf,
  said = (object) => conditionOf(object, 'Ready'),
}: ResourceKind<O>) {
  const summaryOf = (object: O, copy: RedactedCopy<O>, view: View, gitUrl: string): Summary => {
    const { metadata } = copy;
    const { project = '', environment = '' }: Place = object.spec;
    const { reason = '' } = conditionOf(object, 'Ready') ?? {};
    return {
      kind,
      name: metadata.name,
      displayName: called(copy) || metadata.annotations?.[annotation.displayName] || metadata.name,
      project,
      environment,
      state: state(object),
      message: messageInWords(said(object) ?? { reason: '', message: '' }, view),
      createdAt: metadata.creationTimestamp ?? '',
      url: url(copy),
      cause: worstCauseView(kind, object, { view, gitUrl }),
      details: details(object, copy, { reason, view }),
    };
  };
  return {
    summary: (object: O, view: View, gitUrl = ''): Summary =>
      summaryOf(object, redacted(kind, object, view), view, gitUrl),
    read: (object: O, view: View, gitUrl = ''): Read => {
      const copy = redacted(kind, object, view);
      return { resource: summaryOf(object, copy, view, gitUrl), spec: copy.spec, status: copy.status };
    },
  };
}
