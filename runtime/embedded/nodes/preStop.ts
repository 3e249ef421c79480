import { at, listAt, numberAt, textAt } from '../api/json.ts';

type Spec = { readonly spec?: object };

/** How long a container goes on after its pod was asked to end, in ms: `lifecycle.preStop.sleep`. */
export const preStopMs = ({ spec }: Spec, name: string): number => {
  const container = listAt(spec, 'containers').find((one) => textAt(one, 'name') === name);
  return numberAt(container, 'lifecycle', 'preStop', 'sleep', 'seconds') * 1_000;
};

/** The longest of its containers, in ms. */
export const longestPreStopMs = (pod: Spec): number =>
  Math.max(0, ...listAt(pod.spec, 'containers').map((one) => preStopMs(pod, textAt(one, 'name'))));

/** Whether nothing else is asked for at the start or the end of a container. */
export const isSleepAlone = (lifecycle: unknown): boolean => {
  const { preStop, ...others } = (lifecycle ?? {}) as Readonly<Record<string, unknown>>;
  return Object.keys(others).length === 0 && Object.keys(preStop ?? {}).every((name) => name === 'sleep');
};

/** When a pod was asked to end, in ms since the epoch; null where it was not. */
export function askedToEndAt(pod: { readonly metadata: object }): number | null {
  const asked = textAt(pod.metadata, 'deletionTimestamp');
  if (asked === '') return null;
  return Date.parse(asked) - Number(at(pod.metadata, 'deletionGracePeriodSeconds') ?? 0) * 1_000;
}
