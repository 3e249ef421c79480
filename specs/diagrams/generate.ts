import { writeDiagrams } from './files.ts';

const { files, faults, written, removed } = writeDiagrams();
for (const path of written) process.stdout.write(`written ${path}\n`);
for (const path of removed) process.stdout.write(`removed ${path}\n`);
process.stdout.write(`${files.size} diagrams, ${written.length} written, ${removed.length} removed\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 2 : 0;
