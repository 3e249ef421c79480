import { createHash } from 'node:crypto';
import { stamp } from './clock.ts';
import type { Container, Pod } from './shapes.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const destination = '--destination=';

/** The digest that a container of this pod pushes: another one in every pod. */
const digestOf = (pod: Pod, container: string) => `sha256:${sha256(`${pod.metadata.uid}/${container}`)}`;

/** The id of one run of a container. */
export const containerId = (pod: Pod, container: string, restarts: number) =>
  `simulated://${sha256(`${pod.metadata.uid}/${container}/${restarts}`)}`;

/** Puts in what the placeholders of a log line or a termination message stand for. */
export function render(text: string, pod: Pod, container: Container, time: number): string {
  if (!text.includes('{{')) return text;
  const pushed = container.args?.find((arg) => arg.startsWith(destination))?.slice(destination.length);
  const values = new Map(
    Object.entries({
      time: () => stamp(time),
      pod: () => pod.metadata.name,
      image: () => pushed ?? container.image ?? '',
      digest: () => digestOf(pod, container.name),
    }),
  );
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => values.get(name)?.() ?? whole);
}
