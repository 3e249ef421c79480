import { CopyButton } from './copy.tsx';

interface CopiedProps {
  readonly text: string;
  readonly what: string;
}

/** A text of a program beside the button that copies it. */
export const Copied = ({ text, what }: CopiedProps) => (
  <span class="copyable">
    <code title={text}>{text}</code>
    <CopyButton text={text} what={what} />
  </span>
);
