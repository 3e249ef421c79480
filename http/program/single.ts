import { bundleOf } from './bundle.ts';

// The one file that people install runs without packages, which the server needs.
if (bundleOf(process.argv.slice(2), process.env) === 'cli') void import('../cli/main.ts');
else {
  process.stderr.write(`Error: ${process.argv[2]} is not in this file: it is part of the server's installation\n`);
  process.exitCode = 2;
}
