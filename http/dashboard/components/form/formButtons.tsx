/** A button that sends a form. */
export interface FormButton {
  readonly label: string;
  /** The same while it is sent: `Saving`. */
  readonly busyLabel: string;
  /** What tells several of them apart. */
  readonly name?: string;
  /** Whether it is the one that Enter presses. */
  readonly isSubmit?: boolean;
  readonly look?: 'main' | 'bad' | 'small' | 'plain';
  readonly isDisabled?: boolean;
}

interface FormButtonsProps {
  readonly buttons: readonly FormButton[];
  /** The name of the button whose request is under way. */
  readonly busy: string | null;
  readonly isCancelDisabled: boolean;
  readonly onCancel?: () => void;
  readonly onPress: (button: string) => void;
}

const classOf = ({ look = 'main' }: FormButton): string => (look === 'plain' ? 'button' : `button button-${look}`);

/** The buttons of a form. Where something is lost by it, Enter alone keeps everything. */
export const FormButtons = ({ buttons, busy, isCancelDisabled, onCancel, onPress }: FormButtonsProps) => (
  <>
    {onCancel && (
      <button
        type="button"
        class="button"
        autofocus={buttons.some(({ look }) => look === 'bad')}
        disabled={isCancelDisabled}
        onClick={onCancel}
      >
        Cancel
      </button>
    )}
    {buttons.map((button) => {
      const { name = '', label, busyLabel, isSubmit = false, isDisabled = false } = button;
      return (
        <button
          key={name}
          type={isSubmit ? 'submit' : 'button'}
          class={classOf(button)}
          disabled={isDisabled}
          aria-busy={busy === name}
          onClick={isSubmit ? undefined : () => onPress(name)}
        >
          {busy === name ? `${busyLabel} …` : label}
        </button>
      );
    })}
  </>
);

/** The one button of a form. */
export const submitButton = (
  label: string,
  busyLabel: string,
  more: Pick<FormButton, 'look' | 'isDisabled'> = {},
): readonly FormButton[] => [{ label, busyLabel, isSubmit: true, ...more }];
