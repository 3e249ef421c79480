import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a program is found in the path. */
export const isProgramHere = (name: string, path = process.env['PATH'] ?? ''): boolean =>
  path.split(delimiter).some((folder) => folder !== '' && isProgram(join(folder, name)));
