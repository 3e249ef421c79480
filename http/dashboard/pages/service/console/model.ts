import type { ConsoleSessionItem, PodItem } from '../../../../api.ts';
import { quoted, wordsOf } from '../../../model/command.ts';

/** A copy that a terminal may be opened in, and its containers that run. */
export interface Enterable {
  readonly pod: string;
  readonly containers: readonly string[];
}

export const enterable = (pods: readonly PodItem[]): readonly Enterable[] =>
  pods
    .filter(({ phase }) => phase === 'Running')
    .map(({ name, containers }) => ({
      pod: name,
      containers: containers.filter(({ state }) => state === 'running').map((one) => one.name),
    }))
    .filter(({ containers }) => containers.length > 0);

/** Why a command cannot be run; null where it can. */
export function unfitCommand(text: string): string | null {
  const words = wordsOf(text);
  if (words === null) return 'A quote of the command is not closed.';
  const count = words.length;
  if (count === 0) return 'Enter a command, such as sh.';
  return count > 8 ? `A command has at most 8 words, and this one has ${count}.` : null;
}

/** The equal command of kubectl. */
export const kubectlExec = (of: {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}): string =>
  ['kubectl', 'exec', '-it', '-n', of.namespace, of.pod, '-c', of.container, '--', ...of.command.map(quoted)].join(' ');

/** Until when a session may last, by RFC 3339; null while it has not begun or after its end. */
export const endsAt = ({ startedAt, endedAt, timeoutSeconds }: ConsoleSessionItem): string | null =>
  startedAt === null || endedAt !== null
    ? null
    : new Date(Date.parse(startedAt) + timeoutSeconds * 1_000).toISOString();

/** The state of a session for people: who is in it now, or how it ended. */
export const sessionWord = ({ phase, attached }: ConsoleSessionItem): string => {
  if (attached) return 'Connected';
  return phase === 'Active' ? 'Waiting for a terminal' : phase;
};
