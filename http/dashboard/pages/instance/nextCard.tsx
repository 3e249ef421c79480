import type { Explanation } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { TextWithCode } from '../../components/textWithCode.tsx';
import { addressOf } from '../../routes.ts';
import { plural } from '../../model/plural.ts';

type Next = Explanation['next'][number];

interface NextCardProps {
  readonly explanation: Explanation;
  /** The displayed word of each state. */
  readonly shownOf: (state: string) => string;
}

/** Every arrow that leaves the state, by its target: what would have to happen. */
export function NextCard({ explanation, shownOf }: NextCardProps) {
  const { next, state } = explanation;
  const stays = next.filter(({ to }) => to === 'same' || to === state);
  const leaves = next.filter((row) => !stays.includes(row));
  const targets = [...new Set(leaves.map(({ to }) => to))];
  return (
    <Card title="What can happen next">
      {next.length === 0 && <p class="card-body muted">Nothing: no transition leaves this state.</p>}
      <div class="next">
        <div class="next-leaves">
          {targets.map((to) => (
            <section key={to} aria-label={`to ${to}`}>
              <h3>
                <span class="muted" aria-hidden="true">
                  →{' '}
                </span>
                <StateChip state={to} shown={shownOf(to)} />
              </h3>
              <Rows rows={leaves.filter((row) => row.to === to)} explanation={explanation} />
            </section>
          ))}
        </div>
        {stays.length > 0 && (
          <details open={targets.length === 0 || stays.some((row) => isAboutTo(row, explanation))}>
            <summary>
              {plural(stays.length, 'transition')} {stays.length === 1 ? 'keeps' : 'keep'} this state
            </summary>
            <Rows rows={stays} explanation={explanation} />
          </details>
        )}
      </div>
    </Card>
  );
}

const isAboutTo = ({ event }: Next, { decision }: Explanation) => decision.is === 'moves' && decision.event === event;

const Rows = ({ rows, explanation }: { readonly rows: readonly Next[]; readonly explanation: Explanation }) => (
  <ul>
    {rows.map((row) => (
      <li key={row.row} class={isAboutTo(row, explanation) ? 'next-now' : undefined}>
        <span>
          <code>{row.event}</code>
          {row.command && <span class="flag flag-idle">Manual</span>}
          {isAboutTo(row, explanation) && <span class="flag flag-now">Next check</span>}
        </span>
        <a class="small" href={`${addressOf.machine(explanation.machine)}#${row.row}`}>
          {row.row}
        </a>
        <span class="small muted">
          <TextWithCode text={row.when} />
        </span>
      </li>
    ))}
  </ul>
);
