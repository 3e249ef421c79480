import type { ComponentChildren } from 'preact';
import type { Tone } from '../model/state.ts';

interface CardProps {
  /** The heading, which also names the card. */
  readonly title?: ComponentChildren;
  /** The accessible name of a card without a heading, or with one that does not name it. */
  readonly label?: string;
  /** What stands beside the heading. */
  readonly actions?: ComponentChildren;
  readonly tone?: Tone;
  /** Beside the content of a page, no wider than a form, or the banner of an object. */
  readonly look?: 'aside' | 'narrow' | 'banner';
  /** Whether the content stands off from the edges. */
  readonly isPadded?: boolean;
  readonly children?: ComponentChildren;
}

/** A part of a page on a ground of its own: its heading with what may be done, and its content. */
export const Card = ({ title, label, actions, tone, look, isPadded = false, children }: CardProps) => (
  <section
    class={['card', look, isPadded && 'card-body'].filter(Boolean).join(' ')}
    aria-label={label ?? (typeof title === 'string' ? title : undefined)}
    data-tone={tone}
  >
    {title !== undefined && (
      <div class="card-head">
        <h2>{title}</h2>
        {actions}
      </div>
    )}
    {children}
  </section>
);
