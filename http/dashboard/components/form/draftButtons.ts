import type { FormButton } from './formButtons.tsx';

/** What a form of a resource with a draft does with it. */
export type How = 'draft' | 'deploy';

export const draftButtons = [
  { name: 'draft', label: 'Save draft', busyLabel: 'Saving', isSubmit: true },
  { name: 'deploy', label: 'Deploy', busyLabel: 'Deploying', look: 'plain' },
] as const satisfies readonly (FormButton & { readonly name: How })[];
