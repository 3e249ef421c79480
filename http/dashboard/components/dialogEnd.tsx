import { Refused } from './refused.tsx';

interface DialogEndProps {
  /** What the dialog does, and the same while it is done. */
  readonly words: readonly [does: string, doing: string];
  readonly isBusy: boolean;
  /** Why it was refused; empty where it was not. */
  readonly refused: string;
  /** Whether something is lost by it: then Enter alone keeps everything. */
  readonly bad?: boolean;
  readonly disabled?: boolean;
  readonly onCancel: () => void;
}

/** The end of a form in a dialog: why it was refused, the way out, and the button that does it. */
export const DialogEnd = ({ words, isBusy, refused, bad = false, disabled = false, onCancel }: DialogEndProps) => (
  <>
    <Refused text={refused} />
    <div class="dialog-end">
      <button type="button" class="button" autofocus={bad} onClick={onCancel}>
        Cancel
      </button>
      <button
        type="submit"
        class={`button ${bad ? 'button-bad' : 'button-main'}`}
        disabled={disabled}
        aria-busy={isBusy}
      >
        {isBusy ? `${words[1]} …` : words[0]}
      </button>
    </div>
  </>
);
