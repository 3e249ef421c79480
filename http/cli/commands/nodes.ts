import { pathOf } from '../../apiClient/client.ts';
import { read } from '../../apiClient/shape.ts';
import { command, group, isSet, type Leaf, type Run, textFlag } from '../command.ts';
import { CommandFailure, exits } from '../exits.ts';
import { nodeShape, nodesShape } from '../shapes.ts';
import { ageSince } from '../text/age.ts';
import { statePainter } from '../text/colours.ts';
import { plain } from '../text/plain.ts';
import { getOf } from './lists.ts';

const refusals: Leaf['exits'] = [exits.notFound, exits.notAllowed];
const textIn = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : '';
};

async function listNodes(run: Run): Promise<void> {
  const answer = await run.client().ask('GET', '/nodes');
  const { items } = read(nodesShape, answer);
  if (run.globals.json) return run.json({ items });
  const paint = statePainter(run.io);
  const now = run.io.clock.now();
  return run.table(
    ['NAME', 'REGION', 'TAGS', 'RESERVED', 'STATE', 'AGE'],
    items.map(({ name, state, createdAt, details = {} }) => [
      name,
      textIn(details['region']),
      textIn(details['tags']),
      textIn(details['reserved']),
      paint(state),
      ageSince(createdAt, now),
    ]),
  );
}

/** Sets the tags of a node; the API takes the whole list, so the current one is read first. */
async function tagNode(run: Run): Promise<void> {
  const [name = '', ...tags] = run.args;
  const reserve = textFlag(run, 'reserve');
  if (tags.length === 0 && reserve === undefined && !isSet(run, 'unreserve'))
    throw new CommandFailure(exits.usage, 'say which tags, or give --reserve or --unreserve');
  const { spec } = read(nodeShape, await run.client().ask('GET', pathOf('nodes', name)));
  const before = spec.tags ?? [];
  const after = isSet(run, 'remove') ? before.filter((tag) => !tags.includes(tag)) : [...new Set([...before, ...tags])];
  const reserved = isSet(run, 'unreserve') ? '' : reserve;
  const body = { tags: after, ...(reserved === undefined ? {} : { reserved }) };
  await run.client().ask('POST', `${pathOf('nodes', name)}/tags`, { body });
  return run.print(`${plain(name)} ${after.length === 0 ? 'has no tags' : `tagged ${plain(after.join(', '))}`}\n`);
}

export const nodes = group({
  name: 'nodes',
  aliases: ['node'],
  about: 'Nodes and their tags.',
  commands: [
    command({
      name: 'list',
      aliases: ['ls'],
      about: 'List the nodes.',
      examples: ['core nodes list'],
      exits: refusals,
      run: listNodes,
    }),
    getOf({ path: '/nodes', noun: 'node', plural: 'nodes', group: 'nodes', names: 'nodes', details: [] }),
    command({
      name: 'tag',
      about: 'Add tags to a node, or remove them.',
      args: [
        { name: 'NAME', about: 'the name of the node', completes: 'nodes' },
        { name: '[TAG...]', about: 'tags' },
      ],
      flags: [
        { flags: '--remove', about: 'remove the tags' },
        {
          flags: '--reserve <tag>',
          about: 'keep the node for what requires this tag',
          conflicts: 'unreserve',
          sends: 'reserved',
        },
        { flags: '--unreserve', about: 'keep the node for nothing in particular' },
      ],
      examples: ['core nodes tag one eu gdpr', 'core nodes tag one gdpr --remove'],
      exits: refusals,
      run: tagNode,
    }),
  ],
});
