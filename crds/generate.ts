// Writes crds/manifests/, crds/schemas/ and the other generated files, and removes those of kinds that no longer exist.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { admissionFile, type ManifestFile, manifestFiles, schemaFiles } from './manifestFile.ts';

function writeFolder(path: string, files: readonly ManifestFile[]) {
  const folder = new URL(path, import.meta.url);
  for (const name of readdirSync(folder)) rmSync(new URL(name, folder));
  for (const { name, text } of files) writeFileSync(new URL(name, folder), text);
}

writeFolder('manifests/', manifestFiles);
writeFolder('schemas/core.platform/', schemaFiles);
writeFileSync(new URL(`install/${admissionFile.name}`, import.meta.url), admissionFile.text);
