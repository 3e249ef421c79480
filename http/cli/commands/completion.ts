import { command } from '../command.ts';
import { scripts } from '../completion/scripts.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completion = command({
  name: 'completion',
  about: 'Print what a shell needs to complete commands, flags and names.',
  args: [{ name: 'SHELL', about: 'bash, zsh or fish', choices: shells }],
  examples: ['source <(core completion bash)', 'source <(core completion zsh)', 'core completion fish | source'],
  run: async (run) => {
    const shell = shells.find((one) => one === run.args[0]) ?? 'bash';
    await run.print(scripts[shell]);
  },
});
