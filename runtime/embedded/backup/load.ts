/** Loads what writes and restores backups, with the library of the store: a start needs neither. */
export async function loadBackups() {
  const [{ writeBackup }, { restoreBackup }] = await Promise.all([import('./write.ts'), import('./restore.ts')]);
  return { writeBackup, restoreBackup };
}
