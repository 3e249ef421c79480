import { addressOf, type Route } from '../routes.ts';

/** A section of the top bar. */
export interface Section {
  readonly name: 'home' | 'services' | 'machines' | 'settings';
  readonly word: string;
  readonly to: string;
  /** The key that leads there after `g`. */
  readonly key: string;
}

const everybodys: readonly Section[] = [
  { name: 'home', word: 'Home', to: addressOf.home(), key: 'h' },
  { name: 'services', word: 'Services', to: addressOf.services(), key: 's' },
  { name: 'machines', word: 'State machines', to: addressOf.machines(), key: 'm' },
];
const admins: readonly Section[] = [{ name: 'settings', word: 'Settings', to: addressOf.tokens(), key: ',' }];

/** The sections that a reader has. */
export const sectionsFor = (isAdmin: boolean): readonly Section[] =>
  isAdmin ? [...everybodys, ...admins] : everybodys;

/** The section that a page is in; null for a page in none. */
export function sectionOf({ is }: Route): Section['name'] | null {
  switch (is) {
    case 'home':
      return 'home';
    case 'services':
    case 'named':
    case 'project':
    case 'projectSettings':
    case 'sharedVariables':
    case 'newService':
    case 'service':
      return 'services';
    case 'machines':
    case 'machine':
    case 'instance':
      return 'machines';
    case 'users':
    case 'tokens':
      return 'settings';
    case 'device':
    case 'signIn':
    case 'apiDocs':
    case 'unknown':
      return null;
  }
}
