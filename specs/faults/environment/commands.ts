import type { KubeObject } from '../../../crds/kind.ts';
import { historyOf } from '../../../runtime/step/history.ts';

/** Who sends every command of a script. */
export const commander = 'admin';

/** Compares the answers to the commands of users with the moves that were made for them. */
export interface Commands {
  /** A command is sent to a process. */
  readonly sent: () => void;
  /** A process answered that it is done. A command that changes nothing makes no move. */
  readonly done: (object: KubeObject) => void;
  /** No move was made for it: a rule refused it, or none answered it. */
  readonly refused: () => void;
  readonly changed: (object: KubeObject) => void;
  readonly faults: () => readonly string[];
}

/**
 * A command that was answered as done moved once; one that was answered as failed, or not at all, moved at most once.
 * Nobody else moves in the name of the user.
 */
export function makeCommands(): Commands {
  const moves = new Set<string>();
  let [sent, done, refused] = [0, 0, 0];
  return {
    sent: () => void sent++,
    done: (object) => {
      if (historyOf(object).some(({ by }) => by === commander)) done++;
    },
    refused: () => void refused++,
    changed: (object) => {
      for (const { by, machine, event, at } of historyOf(object))
        if (by === commander) moves.add(`${object.kind} ${object.metadata.uid} ${machine} ${event} ${at}`);
    },
    faults: () => {
      const most = sent - refused;
      if (moves.size >= done && moves.size <= most) return [];
      return [`${sent} commands, ${done} of them done and ${refused} refused, made ${moves.size} moves`];
    },
  };
}
