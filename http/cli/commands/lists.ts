import { pathOf } from '../../apiClient/client.ts';
import { pagesOf } from '../../apiClient/requests/pages.ts';
import { read } from '../../apiClient/shape.ts';
import { command, type Leaf, type NameSource, type Run } from '../command.ts';
import { exits } from '../exits.ts';
import { detailedShape, summariesShape, type summaryShape } from '../shapes.ts';
import { ageSince } from '../text/age.ts';
import { statePainter } from '../text/colours.ts';
import type { Row } from '../text/table.ts';

type Summary = ReturnType<typeof summaryShape>;

/** A list of things, as the API and this program call them. */
export interface Listed {
  readonly path: string;
  /** `service`. */
  readonly noun: string;
  readonly plural: string;
  readonly group: string;
  readonly names: NameSource;
  /** Where the cell DETAIL comes from: the first that is there. */
  readonly details: readonly string[];
  /** Which of them are listed, by their details. */
  readonly keep?: (details: NonNullable<Summary['details']>) => boolean;
}

function detailOf({ url, details = {} }: Summary, fields: readonly string[]): string {
  const texts = fields.map((field) => {
    const value = field === 'url' ? url : details[field];
    if (Array.isArray(value)) return value.join(', ');
    return typeof value === 'string' ? value : '';
  });
  return texts.find((text) => text !== '') ?? '';
}

/** A list is narrowed by flags alone; where one was given, the other comes from the defaults (CLI-127, CLI-128). */
function narrowedBy({ globals, target }: Pick<Run, 'globals' | 'target'>): Readonly<Record<string, string>> {
  if (!globals.project && !globals.environment) return {};
  const { project, environment } = target();
  return { ...(project && { project }), ...(environment && { environment }) };
}

function summaryRow(run: Run, summary: Summary, fields: readonly string[]): Row {
  const { name, project, environment, state, createdAt } = summary;
  const age = ageSince(createdAt, run.io.clock.now());
  return [name, project, environment, statePainter(run.io)(state), detailOf(summary, fields), age];
}

async function list(run: Run, { path, details, keep }: Listed): Promise<void> {
  const all: Summary[] = [];
  const print = run.tableParts(['NAME', 'PROJECT', 'ENV', 'STATE', 'DETAIL', 'AGE']);
  for await (const answer of pagesOf(run.client(), path, narrowedBy(run))) {
    const { items } = read(summariesShape, answer);
    if (keep) read(detailedShape, answer);
    const kept = keep ? items.filter((item) => keep(item.details ?? {})) : items;
    if (run.globals.json) all.push(...kept);
    else await print(kept.map((summary) => summaryRow(run, summary, details)));
  }
  if (run.globals.json) await run.json({ items: all });
}

const refusals = [exits.notFound, exits.notAllowed];

/** `list` of one kind of things. */
export const listOf = (listed: Listed): Leaf =>
  command({
    name: 'list',
    aliases: ['ls'],
    about: `List the ${listed.plural}.`,
    more: 'Only --project and --environment on the command line narrow the list.',
    examples: [`core ${listed.group} list`, `core ${listed.group} list --project shop --environment production`],
    exits: refusals,
    run: (run) => list(run, listed),
  });

/** `get` of one kind of things, which prints JSON. */
export const getOf = ({ path, noun, group, names }: Listed): Leaf =>
  command({
    name: 'get',
    about: `Print one ${noun} as JSON.`,
    args: [{ name: 'NAME', about: `the name of the ${noun}`, completes: names }],
    examples: [`core ${group} get shop`],
    exits: refusals,
    run: async (run) => {
      const [name = ''] = run.args;
      return run.json(await run.client().ask('GET', `${path}${pathOf(name)}`));
    },
  });

export const services: Listed = {
  path: '/apps',
  noun: 'service',
  plural: 'services',
  group: 'apps',
  names: 'apps',
  details: ['url', 'image', 'repository', 'runtime'],
};
export const projectsListed: Listed = {
  path: '/projects',
  noun: 'project',
  plural: 'projects',
  group: 'projects',
  names: 'projects',
  details: ['environments'],
};
export const databasesListed: Listed = {
  path: '/databases',
  noun: 'database',
  plural: 'databases',
  group: 'databases',
  names: 'databases',
  details: ['host', 'engine'],
};
export const storesListed: Listed = {
  path: '/object-stores',
  noun: 'object store',
  plural: 'object stores',
  group: 'stores',
  names: 'stores',
  details: ['endpoint', 'bucket'],
};
