import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Only a button closes it, because its content is shown only once. */
  readonly stays?: boolean;
  /** A look of its own. */
  readonly look?: 'palette';
  readonly children: ComponentChildren;
}

/** A modal window; Esc and a click outside close it. */
export function Dialog({ title, onClose, stays = false, look, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isGone.current = true;
      // While it is open, nothing outside it can get the focus.
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={look}
      aria-label={title}
      onClose={() => {
        if (isGone.current) return;
        // A browser closes any dialog when it is asked twice, as by the gesture for going back.
        if (stays) dialog.current?.showModal();
        else onClose();
      }}
      onKeyDown={(event) => stays && event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => stays && event.preventDefault()}
      onMouseDown={(event) => !stays && event.target === dialog.current && dialog.current?.close()}
    >
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}
