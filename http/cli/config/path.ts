import { posix, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** The file of saved logins; null where the environment names no place for it. An empty variable is none. */
export function configPath(env: Environment, platform: NodeJS.Platform): string | null {
  if (env['CORE_CONFIG']) return env['CORE_CONFIG'];
  const folder = configFolder(env, platform);
  return folder === null ? null : (platform === 'win32' ? win32 : posix).join(folder, 'core', 'config.json');
}

function configFolder(env: Environment, platform: NodeJS.Platform): string | null {
  if (platform === 'win32') return env['AppData'] || env['APPDATA'] || null;
  const home = env['HOME'] || null;
  if (platform === 'darwin') return home && posix.join(home, 'Library', 'Application Support');
  const given = env['XDG_CONFIG_HOME'];
  // The specification of these folders says that a relative path is to be ignored.
  if (given && posix.isAbsolute(given)) return given;
  return home && posix.join(home, '.config');
}
