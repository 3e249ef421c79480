import { useNamesOf } from '../kindPages/namesOf.ts';
import { capital } from '../model/capital.ts';
import { type Listed, listOf } from '../model/listed.ts';
import { nearestTo } from '../model/nearest.ts';
import { Card } from './card.tsx';

interface NotFoundProps {
  readonly what: Listed;
  /** The machine of an instance. */
  readonly machine?: string;
  /** The name that was asked for. */
  readonly name: string;
  /** That it was not found, in the words of the server. */
  readonly error: string;
}

/** What is not there, in one sentence; the list of what is, and the names that are like it. */
export function NotFound({ what, machine = '', name, error }: NotFoundProps) {
  const near = nearestTo(name, useNamesOf(what, machine));
  const { label, to } = listOf(what, machine);
  return (
    <Card label="Not found">
      <p class="card-body">
        {capital(error)}. <a href={to}>{label}</a>
      </p>
      {near.length > 0 && (
        <>
          <h2 class="card-head">Nearest names</h2>
          <ul>
            {near.map((one) => (
              <li key={one.to} class="line">
                <a class="strong" href={one.to}>
                  {one.label}
                </a>
                {one.place !== undefined && <span class="muted small">{one.place}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
