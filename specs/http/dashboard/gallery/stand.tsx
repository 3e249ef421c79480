import type { ComponentChildren } from 'preact';

/** One part in all its states. */
export interface Stand {
  /** Its name in the address of the gallery. */
  readonly name: string;
  readonly states: readonly (readonly [words: string, shown: () => ComponentChildren])[];
}

/** A stand as a page: each state below its words. */
export const StandPage = ({ stand }: { readonly stand: Stand }) => (
  <main class="main">
    <h1>{stand.name}</h1>
    <div class="stack">
      {stand.states.map(([words, shown]) => (
        <div key={words} class="stack-tight" data-state={words}>
          <p class="muted small">{words}</p>
          {shown()}
        </div>
      ))}
    </div>
  </main>
);
