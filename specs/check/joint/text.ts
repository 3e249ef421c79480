import type { Life } from '../life.ts';
import type { Broken } from '../search.ts';
import type { Joined } from './explore.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a world together with those of its parts. */
const flat = (world: unknown): Fields =>
  Object.fromEntries(
    Object.entries(world as Fields).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null ? Object.entries(flat(value)) : [[name, value]],
    ),
  );

function changed(before: unknown, after: unknown): string {
  const old = before === undefined ? {} : flat(before);
  return Object.entries(flat(after))
    .filter(([name, value]) => old[name] !== value)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}

/** What is violated, with the life that shows it. */
export const brokenLife = ({ fault, life }: Broken): string =>
  [`  ${fault.check}  ${fault.at.join('  ')}`, `    ${fault.text}`, ...linesOf(life).map((line) => `    ${line}`)].join(
    '\n',
  );

const linesOf = (life: Life) =>
  life.map(
    ({ label, world }, index) => `${index}  ${label || 'at first'}  |  ${changed(life[index - 1]?.world, world)}`,
  );

/** The result of one joint search, with its bound. */
export function joinedText({ joint, searched, walked, broken, ms }: Joined): string {
  const seconds = ms / 1000;
  const { budget } = joint;
  const isWrong = broken.length > 0 || !searched.exhaustive;
  const machines = joint.parts.map(({ subject }) => subject.name).join(' + ');
  const counts = [
    `${searched.worlds.toLocaleString('en')} of at most ${budget.worlds.toLocaleString('en')} states`,
    `${searched.steps.toLocaleString('en')} steps`,
    `${walked.size} rows walked`,
    `${Object.keys(joint.invariants).length} invariants`,
  ].join(', ');
  const late = seconds > budget.seconds ? ', slower than that here' : '';
  return [
    (isWrong ? 'WRONG' : 'ok').padEnd(7) +
      `joint ${joint.name}: ${machines}, ${counts} (${seconds.toFixed(1)} s of ${budget.seconds} s${late})`,
    ...(searched.widest
      ? [`  cut off  ${searched.widest.field} takes ${searched.widest.values} different values`]
      : []),
    ...broken.map(brokenLife),
  ].join('\n');
}
