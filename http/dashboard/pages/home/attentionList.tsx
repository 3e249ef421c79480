import type { Instance } from '../../../api.ts';
import { api } from '../../api.ts';
import { Actions } from '../../parts/actionButton.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { Countdown, Since } from '../../parts/times.tsx';
import { addressOf } from '../../routes.ts';
import { now } from '../../store/clock.ts';
import { fleetOf } from '../../store/fleet.ts';
import { useProjects } from '../../kinds/service/lists.ts';
import { mayAct } from '../../store/session.ts';
import { type Attention, attentionOf } from '../../words/attention.ts';
import { grouped } from '../../words/plural.ts';
import { projectWord } from '../../words/project.ts';

/** The machines of objects; those of drafts and retries say the same again. */
const machines = ['service', 'projectReady', 'database', 'build'] as const;

const mostShown = 20;
/** Instances are judged anew each half minute, not each second. */
const judgedMs = 30_000;

/** What failed, is retried, or has been stuck for over five minutes. */
export function AttentionList() {
  const fleets = machines.map(fleetOf);
  const instances = fleets.flatMap((fleet) => [...fleet.instances.value.values()]);
  const items = attentionOf(instances, Math.floor(now.value / judgedMs) * judgedMs);
  const projects = useProjects().value?.items;
  return (
    <section class="card" aria-label="Needs attention">
      <div class="card-head">
        <h2>Needs attention{items.length > 0 && ` (${grouped(items.length)})`}</h2>
      </div>
      {items.length === 0 && <p class="card-body muted">All is well. Updates live.</p>}
      <ul>
        {items.slice(0, mostShown).map((item) => (
          <Item
            key={`${item.instance.machine} ${item.instance.id}`}
            item={item}
            project={projectWord(item.instance.project, projects)}
          />
        ))}
      </ul>
      {items.length > mostShown && (
        <p class="card-body muted">{grouped(items.length - mostShown)} more are on the pages of the state machines.</p>
      )}
    </section>
  );
}

const addressOfInstance = ({ kind, project, environment, name, machine, id }: Instance): string =>
  kind === 'CoreApp' ? addressOf.service({ project, environment, name }) : addressOf.instance(machine, id);

interface ItemProps {
  readonly item: Attention;
  readonly project: string;
}

const Item = ({ item: { instance, word }, project }: ItemProps) => (
  <li class="line">
    <StateChip state={instance.state} shown={word} />
    <a class="strong" href={addressOfInstance(instance)}>
      {instance.name}
    </a>
    {project !== '' && (
      <span class="muted small">
        {project}
        {instance.environment !== '' && ` / ${instance.environment}`}
      </span>
    )}
    <span class="line-text">
      {instance.reason}
      {typeof instance.nextLook === 'string' && (
        <>
          {' '}
          · next check <Countdown at={instance.nextLook} />
        </>
      )}
    </span>
    <span class="muted small row-end">
      <Since at={instance.since} />
    </span>
    {mayAct() && word === 'Failed' && instance.kind === 'CoreApp' && (
      <Actions
        label={`Actions for ${instance.name}`}
        actions={[{ word: 'Retry', path: api.ofApp(instance.name, 'retry'), small: true }]}
        onDone={() => {}}
      />
    )}
  </li>
);
