// Writes crds/manifests/ anew from the schemas; what is no kind of ours any more goes.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { kinds } from './kinds.ts';
import { manifestFile } from './manifestFile.ts';

const folder = new URL('manifests/', import.meta.url);
const files = kinds.map(manifestFile);

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(new URL(name, folder));
for (const { name, text } of files) writeFileSync(new URL(name, folder), text);
