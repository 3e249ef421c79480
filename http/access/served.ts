import { machinesOfTheLeader } from '../../rules/access/routes.ts';
import { requeueAfterMs } from '../../rules/engine.ts';
import { isoTime } from '../../rules/time.ts';
import { explainOver, type Explained } from '../../runtime/step/explain.ts';
import { refuse } from '../orThrow.ts';
import type { Explanation } from '../routes/machines/explanation.ts';
import type { Instance, InstanceRead, Machine, Trace, Transitions } from '../routes/machines/shapes.ts';
import { sendRead } from '../response.ts';
import { sortedFrom } from '../lists/page.ts';
import { jsonText } from '../response/jsonText.ts';
import { sortedBy } from '../lists/sorted.ts';
import type { InstanceRow, ServedMachine } from '../routes/machines/servedMachine.ts';
import type { ServerContext } from '../context.ts';
import { explanationOf } from '../views/explanation.ts';
import { tableRead } from '../views/machine.ts';
import { type NextCheck, nextCheckAt } from '../views/passes.ts';
import { tabled } from '../views/placed.ts';
import type { AccessItem, AccessMachine } from './accessMachine.ts';

const placeIn = ({ place }: Pick<InstanceRow, 'place'>) => place;
const noMoves = 'No moves are kept: it is decided when somebody asks.';
const timeOf = (ms: number | null): string => (ms === null ? '' : isoTime(ms));

/** Why an instance is in its state, decided without a command. */
function explainedOf({ machine }: AccessMachine, { state, since, facts, shownFacts }: AccessItem): Explained {
  const explained = explainOver(machine, state, facts);
  return {
    ...explained,
    state,
    shown: state,
    since: timeOf(since),
    now: isoTime(facts.now),
    paused: false,
    facts: { ...explained.facts, ...shownFacts },
    observedAt: null,
    failing: [],
  };
}

/** When time alone moves it, by the rule that holds. */
function nextCheckOf({ decision }: Explained, { facts, shownFacts }: AccessItem): NextCheck {
  if (decision.is !== 'event' || decision.rule.look === undefined || Object.keys(shownFacts).length > 0) return {};
  return nextCheckAt(isoTime(facts.now + requeueAfterMs(decision.rule.look, facts, facts.now)));
}

function instanceOf(of: AccessMachine, one: AccessItem): Instance {
  const { machine, object } = of;
  const explained = explainedOf(of, one);
  const name = nameOf(of, one);
  return {
    id: idOf(of, one),
    kind: object.kind,
    name,
    uid: '',
    project: one.scope?.project ?? '',
    environment: one.scope?.environment ?? '',
    machine: machine.name,
    state: one.state,
    shown: one.state,
    since: timeOf(one.since),
    reason: explained.says.text,
    retrying: false,
    paused: false,
    columns: { subject: one.subject },
    ...nextCheckOf(explained, one),
    failures: 0,
  };
}

const nameOf = ({ object }: AccessMachine, { item }: AccessItem): string => `${object.name}:${item}`;
const idOf = (of: AccessMachine, one: AccessItem): string => `${of.object.plural}:${nameOf(of, one)}`;

/** An access machine as the routes of machines serve it, unredacted because only admins reach it. */
export function servedAccess({ operator, settings, now }: ServerContext, of: AccessMachine): ServedMachine {
  const placed = tabled(of.machine, settings.machines);
  const { name } = of.machine;
  const items = () => of.items(now());

  const explanation = (one: AccessItem): Explanation => {
    const explained = explainedOf(of, one);
    const passes = { ...nextCheckOf(explained, one), failure: undefined };
    return explanationOf(placed, {
      name: nameOf(of, one),
      explained,
      passes,
      notes: one.notes,
      isLeading: true,
      view: 'whole',
    });
  };
  const counted = (): Machine['counts'] => {
    if (machinesOfTheLeader.has(name) && !operator.isLeading()) return null;
    const counts: Record<string, number> = {};
    for (const { state } of items()) counts[state] = (counts[state] ?? 0) + 1;
    return counts;
  };
  const traceOf = (one: AccessItem): Trace => ({
    id: idOf(of, one),
    kind: of.object.kind,
    name: nameOf(of, one),
    uid: '',
    project: '',
    environment: '',
    state: one.state,
    items: [],
  });

  const rows = () =>
    sortedBy(
      items().map((one) => {
        const line = instanceOf(of, one);
        return { line, place: [line.name], text: () => jsonText(line), trace: () => traceOf(one) };
      }),
      placeIn,
    );

  return {
    tabled: placed,
    lifecycles: [of.machine],
    read: () => ({ ...tableRead(placed), kinds: [of.object.kind], counts: counted(), retrying: 0 }),
    instances: () => (after) => sortedFrom(rows(), placeIn, after),
    traces: () => (after) => sortedFrom(rows(), placeIn, after),
    newest: () => [],
    find: (id) => {
      const one = items().find((item) => idOf(of, item) === id);
      if (one === undefined) return null;
      return {
        read: (ctx) => sendRead(ctx, { ...instanceOf(of, one), others: [] } satisfies InstanceRead),
        transitions: (ctx) => sendRead(ctx, { name: nameOf(of, one), items: [], note: noMoves } satisfies Transitions),
        explain: (ctx) => sendRead(ctx, explanation(one)),
        reconcile: (ctx) => refuse(ctx, 409, `a ${name} cannot be reconciled on request`),
      };
    },
  };
}
