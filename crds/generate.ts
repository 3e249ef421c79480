// Writes crds/manifests/ and the other generated files, and removes manifests of kinds that no longer exist.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { admissionFile, manifestFiles } from './manifestFile.ts';

const folder = new URL('manifests/', import.meta.url);

for (const name of readdirSync(folder)) rmSync(new URL(name, folder));
for (const { name, text } of manifestFiles) writeFileSync(new URL(name, folder), text);
writeFileSync(new URL(`install/${admissionFile.name}`, import.meta.url), admissionFile.text);
