// Writes what of chart/ is generated, and removes templates whose source no longer exists.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chartFiles } from './chart/files.ts';

const folder = new URL('../chart/', import.meta.url);
const templates = new URL('templates/', folder);

for (const name of readdirSync(templates)) if (name.endsWith('.yaml')) rmSync(new URL(name, templates));
for (const { name, text } of chartFiles) writeFileSync(new URL(name, folder), text);
