import { isObject } from '../json.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that a version of Core adds to the pod template of every service, of the pod and of its container. */
export interface Additions {
  readonly pod: Fields;
  readonly container: Fields;
}

/**
 * The additions of this version. A terminating pod keeps serving for five seconds, because its address receives
 * requests until every node has removed it. The end of the log of a container that fails becomes its termination
 * message, which says why it failed after it was restarted.
 */
export const additions: Additions = {
  pod: {},
  container: {
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  },
};

export const noAdditions: Additions = { pod: {}, container: {} };

/** The names of added fields, as the annotation `template-additions` keeps them; empty for none. */
export const additionsText = ({ pod, container }: Additions): string => {
  const names = { pod: Object.keys(pod).toSorted(), container: Object.keys(container).toSorted() };
  return names.pod.length + names.container.length === 0 ? '' : JSON.stringify(names);
};

/**
 * The additions in a live template, of any version: of the fields that this version adds, and of those in the
 * annotation. A removed field of the annotation gets the value of this version.
 */
export function standingAdditions(template: unknown, text: string, own: Additions = additions): Additions {
  const spec = isObject(template) && isObject(template['spec']) ? template['spec'] : {};
  const [container] = Array.isArray(spec['containers']) ? (spec['containers'] as readonly unknown[]) : [];
  const named = namesIn(text);
  const standing = (part: keyof Additions, fields: Fields): Fields => {
    const lost = Object.entries(own[part]).filter(([name]) => named[part].includes(name));
    const found = [...Object.keys(own[part]), ...named[part]].filter((name) => fields[name] !== undefined);
    return { ...Object.fromEntries(lost), ...Object.fromEntries(found.map((name) => [name, fields[name]])) };
  };
  return { pod: standing('pod', spec), container: standing('container', isObject(container) ? container : {}) };
}

/** Parses the names; invalid text names nothing. */
function namesIn(text: string): Readonly<Record<keyof Additions, readonly string[]>> {
  try {
    const parsed: unknown = JSON.parse(text);
    const of = (part: keyof Additions) => (isObject(parsed) && Array.isArray(parsed[part]) ? parsed[part] : []);
    const texts = (values: readonly unknown[]) => values.filter((one): one is string => typeof one === 'string');
    return { pod: texts(of('pod')), container: texts(of('container')) };
  } catch {
    return { pod: [], container: [] };
  }
}
