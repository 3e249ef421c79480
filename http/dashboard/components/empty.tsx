import type { ComponentChildren } from 'preact';
import { Command } from './copy.tsx';
import { TextWithCode } from './textWithCode.tsx';

interface EmptyProps {
  /** What is not there: `No build yet`. */
  readonly title: string;
  /** What belongs here, in a sentence. */
  readonly text: string;
  /** The command that does the same as the action. */
  readonly command?: string;
  /** The one action that leads on. */
  readonly children?: ComponentChildren;
}

/** What a page says while there is nothing to list: what belongs here, one action, the equal command. */
export const Empty = ({ title, text, command, children }: EmptyProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <p>
      <TextWithCode text={text} />
    </p>
    {children}
    {command !== undefined && <Command what="the command that does the same" text={command} />}
  </div>
);
