import type { Stored } from '../../store.ts';

/** The JSON text of objects. */
export interface Texts {
  readonly of: (object: Stored) => string;
  /** There is a later version: nobody asks for this one, but for a watch that goes on from long ago. */
  readonly forget: (object: Stored) => void;
}

/** Texts asked for lately are kept up to so many characters in all: a text takes about as much memory as its object. */
const mostCharacters = 16 * 1024 * 1024;

export function createTexts(most = mostCharacters): Texts {
  /** In the order in which they were last asked for. */
  const kept = new Map<Stored, string>();
  let characters = 0;

  function forget(object: Stored) {
    characters -= kept.get(object)?.length ?? 0;
    kept.delete(object);
  }

  /** An eighth at once: to find the oldest costs more, the more was forgotten before. */
  function forgetOldest() {
    for (const oldest of kept.keys()) {
      if (characters <= (most * 7) / 8) return;
      forget(oldest);
    }
  }

  return {
    forget,
    of(object) {
      const text = kept.get(object) ?? JSON.stringify(object);
      forget(object);
      kept.set(object, text);
      characters += text.length;
      if (characters > most) forgetOldest();
      return text;
    },
  };
}
