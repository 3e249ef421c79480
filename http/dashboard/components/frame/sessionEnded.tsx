import { Dialog } from '../dialog.tsx';
import { SignInForm } from '../signInForm.tsx';

/** Over the page whose session has ended: what is typed into it is still there after signing in. */
export const SessionEnded = ({ name }: { readonly name: string }) => (
  <Dialog title="Your session has ended" stays onClose={() => {}}>
    <p class="muted">Sign in to continue. Your input on this page is kept.</p>
    <SignInForm name={name} />
  </Dialog>
);
