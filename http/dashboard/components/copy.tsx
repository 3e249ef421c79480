import { useSignal } from '@preact/signals';

const shownMs = 1600;

interface CopyProps {
  /** What is copied, or how to put it together once it is asked for. */
  readonly text: string | (() => string);
  /** The name of what is copied. */
  readonly what: string;
  /** Whether it is the primary button. */
  readonly main?: boolean;
}

/** Without a secure context a browser has no clipboard API, so the text is selected in a field instead. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    // Elements outside an open dialog cannot get the focus.
    (document.querySelector('dialog[open]') ?? document.body).append(field);
    const before = document.activeElement;
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    if (before instanceof HTMLElement) before.focus();
    return done;
  }
}

/** Copies a text and confirms it. */
export function CopyButton({ text, what, main = false }: CopyProps) {
  const result = useSignal('');
  const press = async () => {
    result.value = (await copy(typeof text === 'string' ? text : text())) ? 'Copied' : 'Not copied';
    setTimeout(() => (result.value = ''), shownMs);
  };
  return (
    <button
      class={`button ${main ? 'button-main' : 'button-small button-plain'}`}
      type="button"
      onClick={() => void press()}
      aria-label={`Copy ${what}`}
    >
      <span role="status">{result.value === '' ? 'Copy' : result.value}</span>
    </button>
  );
}

interface CommandProps {
  /** What the command does, as a noun: `the command that shows the same`. */
  readonly what: string;
  readonly text: string;
  /** The same with kubectl, for those who have no `core`. */
  readonly kubectl?: string;
}

/** A page's action as a command for a terminal: `core` first, kubectl second, wrapped and never cut off. */
export const Command = ({ what, text, kubectl }: CommandProps) => (
  <div class="commands">
    {[text, ...(kubectl === undefined ? [] : [kubectl])].map((line) => (
      <div key={line} class="command">
        <code>
          <span class="prompt" aria-hidden="true">
            ${' '}
          </span>
          {line}
        </code>
        <CopyButton text={line} what={line === kubectl ? `${what}, with kubectl` : what} />
      </div>
    ))}
  </div>
);
