import { systemNamespace } from '../../../../crds/names.ts';
import type { InstanceRead } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import type { AnyKindPage } from '../../kindPages/kindPage.ts';
import { Command } from '../../components/copy.tsx';
import { Fact } from '../../components/fact.tsx';
import { Since } from '../../components/times.tsx';

interface InstanceFactsProps {
  readonly instance: InstanceRead;
  readonly page: AnyKindPage | undefined;
}

/** What is known of every instance: its object, where that belongs, and how to read it in a terminal. */
export const InstanceFacts = ({ instance, page }: InstanceFactsProps) => {
  const { id, kind, name, project, environment, since } = instance;
  const [plural = '', object = name] = id.split(':');
  const kubectl = `kubectl get ${plural} ${object} -n ${systemNamespace} -o yaml`;
  const core = page?.command?.(instance) ?? null;
  return (
    <Card title="Object">
      <dl class="facts facts-panel">
        <Fact name="Kind">{kind}</Fact>
        {project !== '' && page === undefined && (
          <Fact name="Project">
            {project}
            {environment !== '' && <span class="muted"> / {environment}</span>}
          </Fact>
        )}
        <Fact name="In this state">
          <Since at={since} />
        </Fact>
      </dl>
      {page?.hasPasses !== false && (
        <div class="card-body">
          <Command
            what="the command that shows the object"
            text={core ?? kubectl}
            {...(core === null ? {} : { kubectl })}
          />
        </div>
      )}
    </Card>
  );
};
