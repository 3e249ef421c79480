import { useEffect } from 'preact/hooks';
import { go } from '../router.ts';

/** The address of sign-in, for somebody who is: leads on to the page asked for. */
export function SignedInAlready({ to }: { readonly to: string }) {
  useEffect(() => go(to, 'replace'), [to]);
  return null;
}
