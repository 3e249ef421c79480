import { type AnyKindPage, kindPage } from '../kindPage.ts';

/** What is decided when somebody asks has nothing to be asked for here, and nothing of it is read whole. */
const decidedOnRequest = (kind: string, plural: string): AnyKindPage =>
  kindPage<never>({
    kind,
    plural,
    label: 'instances',
    path: () => null,
    hasPasses: false,
    title: () => '',
    links: () => [],
    flags: () => [],
    actions: () => [],
    facts: () => null,
    views: [],
    columns: [{ name: 'subject', label: 'Subject' }],
  });

/** What the pages show of tokens, sessions, device sign-ins and lockouts: items of Secrets and of the leader's Lease. */
export const accessKinds: readonly AnyKindPage[] = [
  decidedOnRequest('Secret', 'secrets'),
  decidedOnRequest('Lease', 'leases'),
];
