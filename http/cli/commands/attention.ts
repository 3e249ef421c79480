import { read } from '../../apiClient/shape.ts';
import { command, type Run } from '../command.ts';
import { exits } from '../exits.ts';
import { attentionShape } from '../shapes.ts';
import { ageSince } from '../text/age.ts';

async function showAttention(run: Run): Promise<void> {
  const { project, environment } = run.target();
  const query = { ...(project && { project }), ...(environment && { environment }) };
  const answer = await run.client().ask('GET', '/attention', { query });
  const { items } = read(attentionShape, answer);
  if (run.globals.json) return run.json(answer);
  if (items.length === 0) return run.note('Nothing needs attention.\n');
  const now = run.io.clock.now();
  return run.table(
    ['WORD', 'OBJECT', 'CAUSE', 'HOLDS', 'SINCE'],
    items.map(({ word, object, cause, holdsUpCount = 0, since }) => [
      word,
      object && `${object.kind ?? ''} ${object.name}`.trim(),
      cause?.message,
      String(holdsUpCount),
      ageSince(since, now),
    ]),
  );
}

export const attention = command({
  name: 'attention',
  about: 'List what needs attention, with its cause and how much it holds up.',
  more: 'One line is one root cause. Without a project it lists those of the whole installation.',
  examples: ['core attention', 'core attention --project shop --environment production --json'],
  exits: [exits.notAllowed],
  run: showAttention,
});
