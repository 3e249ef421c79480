import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  readonly yes: string;
  readonly no?: string;
  readonly bad?: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks before something is lost. The button that keeps it comes first, so that Enter alone loses nothing. */
export const Confirm = ({ title, text, yes, no = 'Cancel', bad = false, onYes, onNo }: ConfirmProps) => (
  <Dialog title={title} onClose={onNo}>
    <p style={{ marginTop: '8px' }}>{text}</p>
    <div class="dialog-end">
      <button type="button" class="button" onClick={onNo}>
        {no}
      </button>
      <button type="button" class={`button ${bad ? 'button-bad' : 'button-main'}`} onClick={onYes}>
        {yes}
      </button>
    </div>
  </Dialog>
);
