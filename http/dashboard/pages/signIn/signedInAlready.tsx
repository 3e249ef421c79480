import { useEffect } from 'preact/hooks';
import { go } from '../../router.ts';

/** The sign-in address for a user who is signed in already: redirects to the requested page. */
export function SignedInAlready({ to }: { readonly to: string }) {
  useEffect(() => go(to, 'replace'), [to]);
  return null;
}
