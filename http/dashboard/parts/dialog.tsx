import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Only a button closes it: what it shows is shown once. */
  readonly stays?: boolean;
  readonly children: ComponentChildren;
}

/** A window over the page; Esc and a click beside it close it. */
export function Dialog({ title, onClose, stays = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onCancel={(event) => stays && event.preventDefault()}
      onMouseDown={(event) => !stays && event.target === dialog.current && dialog.current?.close()}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}
