import { canonicalJson } from '../../../rules/canonical.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Act, Command, Path } from '../subjects/subject.ts';
import { externalMove } from './oracle.ts';
import { objectName, generatedObjects } from './kind.ts';
import { putWorld, worldIn } from './objects.ts';
import { gone, type Play } from './play.ts';
import { lacking } from './machine.ts';
import { type Leg, type Life, sight } from './search.ts';

const moved = (
  play: Play,
  world: TestEnvironment,
  { name, index }: { readonly name: string; readonly index: number },
) => {
  const before = worldIn(play, world);
  const ways = play.model.moves.find((move) => move.name === name)?.on(before) ?? [];
  const next = ways[index] ?? ways[0];
  if (next === undefined) return;
  externalMove.set(world, `world: ${name}`);
  putWorld(play, world, next);
  externalMove.delete(world);
};

function actOf(play: Play, { at, done }: Leg): Act {
  const waited = sight(play.model, at);
  const when = (world: TestEnvironment) => {
    const now = worldIn(play, world);
    return now !== null && sight(play.model, now) === waited && lacking(play, now).length === 0;
  };
  if (done.is === 'moved') return { text: done.name, when, edit: (world) => moved(play, world, done) };
  const asked = (play.model.commands?.[done.command] ?? done.command) as Command['asked'];
  const command = { kind: generatedObjects.kind, machine: play.run.subject.name, name: objectName.name, asked };
  return { text: `${done.command} is asked for`, when, command };
}

const firstOf = ({ model }: Play, start: unknown): string =>
  model.start.length === 1
    ? [].join('')
    : `from ${model.start.findIndex((one) => canonicalJson(one) === canonicalJson(start)) + 1}`;

/** A life as a path: each act waits for the world it is done in. The path is named by its acts. */
export function pathOf(play: Play, life: Life): Path {
  const acts = life.legs.map(({ done }) => (done.is === 'asked' ? `${done.command} asked` : saidMove(done)));
  const said = [firstOf(play, life.start), ...acts].filter((part) => part !== '');
  return {
    name: said.length === 0 ? 'left alone' : said.join(', then ').replaceAll('/', ' or '),
    given: (world) => putWorld(play, world, life.start),
    script: life.legs.map((leg) => actOf(play, leg)),
    actors: () => [],
    ends: [life.over ? gone : play.model.state(life.rest)],
  };
}

const saidMove = ({ name, index }: { readonly name: string; readonly index: number }) =>
  index === 0 ? name : `${name} (${index + 1})`;
