import { addressOf, platformPages } from '../routes.ts';
import { platformWords } from '../pages/platform/model.ts';

/** The pages of the platform's settings, in their order. */
export const settingsPages = [
  ...platformPages.map((page) => ({ page, word: platformWords[page], to: addressOf.platform(page) })),
  { page: 'databases', word: 'Databases', to: addressOf.sharedServers() },
  { page: 'users', word: 'Users', to: addressOf.users() },
  { page: 'tokens', word: 'Tokens', to: addressOf.tokens() },
  { page: 'commandLine', word: 'Command line', to: addressOf.commandLine() },
] as const;
