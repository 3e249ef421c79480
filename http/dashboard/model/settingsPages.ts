import { addressOf, platformPages } from '../routes.ts';
import { platformWords } from '../pages/platform/model.ts';

/** The pages of the platform's settings, in their order. */
export const settingsPages = [
  ...platformPages.map((page) => ({ page, label: platformWords[page], to: addressOf.platform(page) })),
  { page: 'databases', label: 'Databases', to: addressOf.sharedServers() },
  { page: 'users', label: 'Users', to: addressOf.users() },
  { page: 'tokens', label: 'Tokens', to: addressOf.tokens() },
  { page: 'commandLine', label: 'Command line', to: addressOf.commandLine() },
] as const;
