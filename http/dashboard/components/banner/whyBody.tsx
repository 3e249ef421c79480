import type { Explanation, Tried } from '../../../api.ts';
import { addressOf } from '../../routes.ts';
import { factLines } from '../../model/factLines.ts';
import { dayTime } from '../../model/time.ts';
import { Icon } from '../icon.tsx';
import { At, Since } from '../times.tsx';
import { noRuleWaits, factsHidden } from './text.ts';

/** The rules that were tried for a state, and the facts that they were tried on. */
export const WhyBody = ({ explanation }: { readonly explanation: Explanation }) => (
  <div class="why-body">
    <div>
      <h2>Rules, in their order</h2>
      {explanation.tried.length === 0 && <p class="why-none muted small">{noRuleWaits}</p>}
      <ul class="why-list">
        {explanation.tried.map((tried) => (
          <TriedRule key={tried.rule} tried={tried} machine={explanation.machine} />
        ))}
      </ul>
    </div>
    <Facts explanation={explanation} />
  </div>
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
      <Icon name={sign} />
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

const Facts = ({ explanation: { facts, observedAt } }: { readonly explanation: Explanation }) => {
  const lines = factLines(facts, observedAt === null ? 'only the leader asks for it' : 'not asked for yet');
  return (
    <div>
      <h2>
        Facts
        {observedAt === null && <span class="muted small"> as this standby sees them</span>}
        {typeof observedAt === 'string' && (
          <span class="muted small">
            {' '}
            observed <Since at={observedAt} /> ago
          </span>
        )}
      </h2>
      {lines.length === 0 && <p class="why-none muted small">{factsHidden}</p>}
      <dl class="facts">
        {lines.map(({ label, value, at }) => (
          <>
            <dt key={label}>{label}</dt>
            <dd key={`${label}-value`}>{at === undefined ? value : <At at={at}>{dayTime(Date.parse(at))}</At>}</dd>
          </>
        ))}
      </dl>
    </div>
  );
};
