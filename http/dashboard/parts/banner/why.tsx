import type { Explanation, Tried } from '../../../api.ts';
import { addressOf } from '../../routes.ts';
import { plural } from '../../words/plural.ts';
import { Sign } from '../sign.tsx';
import { Since } from '../times.tsx';

/** The rules that were tried for a state, and the facts that they were tried on. */
export const Why = ({ explanation }: { readonly explanation: Explanation }) => (
  <details class="why">
    <summary>
      Why? {plural(explanation.tried.length, 'rule')} for this state, over{' '}
      {plural(Object.keys(explanation.facts).length, 'fact')}
    </summary>
    <div class="why-body">
      <div>
        <h3>Rules, in their order</h3>
        <ul class="why-list">
          {explanation.tried.map((tried) => (
            <TriedRule key={tried.rule} tried={tried} machine={explanation.machine} />
          ))}
        </ul>
      </div>
      <Facts explanation={explanation} />
    </div>
  </details>
);

const heldWords = {
  yes: ['held-yes', 'check', 'holds'],
  no: ['held-no', 'cross', 'does not hold'],
  'not reached': ['held-not', 'ring', 'not reached'],
} as const;

function TriedRule({ tried, machine }: { readonly tried: Tried; readonly machine: string }) {
  const [look, sign, words] = heldWords[tried.held];
  return (
    <li class={look}>
      <Sign name={sign} />
      <div>
        <code>{tried.rule}</code> <span class="small muted">{words}</span>
        {tried.row !== undefined && (
          <>
            {' '}
            <a class="small" href={`${addressOf.machine(machine)}#${tried.row}`}>
              {tried.row}
            </a>
          </>
        )}
        {tried.says !== '' && <div class="small">{tried.says}</div>}
      </div>
    </li>
  );
}

const Facts = ({ explanation }: { readonly explanation: Explanation }) => {
  const unasked = explanation.observedAt === null ? 'only the leader asks for it' : 'not asked for yet';
  return (
    <div>
      <h3>
        Facts
        {explanation.observedAt === null && <span class="muted small"> as this standby sees them</span>}
        {typeof explanation.observedAt === 'string' && (
          <span class="muted small">
            {' '}
            observed <Since at={explanation.observedAt} /> ago
          </span>
        )}
      </h3>
      <dl class="facts">
        {Object.entries(explanation.facts).map(([name, fact]) => (
          <>
            <dt key={name} class="mono">
              {name}
            </dt>
            <dd key={`${name}-value`}>
              {fact.is === 'known' ? (
                <code>{JSON.stringify(fact.value)}</code>
              ) : (
                <span class="muted">{fact.is === 'unasked' ? unasked : `unknown: ${fact.why ?? ''}`}</span>
              )}
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
};
