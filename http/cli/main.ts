import { calledAs } from './calledAs.ts';
import { run } from './run.ts';
import { processIo } from './processIo.ts';
import { errorMessage } from '../../rules/errorMessage.ts';

// Arguments may hold a token, which others of this machine would see in the list of processes.
process.title = 'core';

// The reader of the pipe has closed it, as in `core logs | head -1`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

async function main(): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), processIo(), calledAs(process.argv[1] ?? ''));
  } catch (error) {
    process.stderr.write(`Error: this is a defect of core: ${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}

void main();
