import { useSignal } from '@preact/signals';

const sayMs = 1600;

interface CopyProps {
  readonly text: string;
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
  const said = useSignal('');
  const press = async () => {
    said.value = (await copy(text)) ? 'Copied' : 'Not copied';
    setTimeout(() => (said.value = ''), sayMs);
  };
  return (
    <button
      class={`button ${main ? 'button-main' : 'button-small button-plain'}`}
      type="button"
      onClick={() => void press()}
      aria-label={`Copy ${what}`}
    >
      <span role="status">{said.value === '' ? 'Copy' : said.value}</span>
    </button>
  );
}

/** A command to run in a terminal. */
export const Command = ({ text, what }: CopyProps) => (
  <div class="command">
    <code tabIndex={0} aria-label={what}>
      {text}
    </code>
    <CopyButton text={text} what={what} />
  </div>
);
