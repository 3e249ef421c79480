import { everything } from '../../../runtime/controllers/all.ts';
import { cloudConnections, connections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { makeSender } from '../../../runtime/services/webhooks/sender.ts';
import { numbers, shuffled } from '../../support/random.ts';
import type { FaultSubject, Path } from './subject.ts';

const mostTogether = 4;
const gitUrl = 'https://git.example';
let processes = 0;

/** One path of a subject. */
export interface Part {
  readonly subject: FaultSubject;
  readonly path: Path;
}

/** What of these subjects is in one environment: a path of each of some, by the seed. */
export function drawParts(subjects: readonly FaultSubject[], seed: number): readonly Part[] {
  const next = numbers(seed);
  const chosen = shuffled(subjects, next).slice(0, 2 + Math.floor(next() * (mostTogether - 1)));
  return chosen.flatMap((subject) => {
    const path = subject.paths[Math.floor(next() * subject.paths.length)];
    return path ? [{ subject, path }] : [];
  });
}

/**
 * A token of a connection falls due once an hour, whether anything was restarted or not; keys that are refused are
 * tried anew by each process, which says so. Connections that are Ready are held to more by their own paths.
 */
const renews: NonNullable<FaultSubject['recurs']> = ({ plural, verb }) =>
  plural === connections.plural ||
  plural === cloudConnections.plural ||
  (plural === secrets.plural && verb === 'patch');

/**
 * Paths of several subjects in one environment, one after the other, under all controllers. What they come to is nobody's
 * expectation, as one may take what another needs; most of them come to rest.
 */
export const together = (parts: readonly Part[]): FaultSubject => ({
  name: 'together',
  tables: [...new Set(parts.flatMap(({ subject }) => subject.tables))],
  controllers: () =>
    everything({
      builder: { builderImage: 'builder', gitImage: 'git', gitUrl },
      sender: makeSender(`process-together-${++processes}`),
    }).controllers,
  alsoSeen: [...new Set(parts.flatMap(({ subject }) => subject.alsoSeen))],
  removes: true,
  recurs: (write) =>
    renews(write) || parts.some(({ subject, path }) => subject.recurs?.(write) ?? path.mayWrite?.(write)),
  paths: [
    {
      name: parts.map(({ subject, path }) => `${subject.name}: ${path.name}`).join(', '),
      given: (environment) => parts.forEach(({ path }) => path.given(environment)),
      script: parts.flatMap(({ path }) => path.script),
      actors: (environment) => parts.flatMap(({ path }) => path.actors(environment)),
      ends: [''],
    },
  ],
  state: () => '',
  userEdits: {},
  oracle: () => ({ look: () => [], atRest: () => [] }),
});
