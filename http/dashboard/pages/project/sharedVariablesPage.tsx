import type { Items, SharedVariableItem } from '../../../api.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofProject } from '../../kindPages/service/concerns.ts';
import { useProjects } from '../../kindPages/lists.ts';
import { Frame } from '../../components/frame.tsx';
import { KeyValueEditor } from '../../components/keyValue/keyValueEditor.tsx';
import { Failed, Skeleton } from '../../components/note.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Hidden } from '../../components/value.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { environmentsOf, projectWord } from '../../model/project.ts';
import { changesOfShared, variableOf } from '../../model/variables.ts';

/** The variables that the services of an environment may take (UI-004). */
export function SharedVariablesPage(place: Place) {
  const { project, environment } = place;
  const projects = useProjects().value?.items;
  const found = projects?.find(({ name }) => name === project);
  const isShown = mayReadSensitive();
  const { value, failed, readAt, reload } = useLoaded<Items<SharedVariableItem>>(
    isShown ? api.ofProject(project, 'variables') : null,
    ofProject(project),
  );
  const own = value?.items.filter((one) => one.environment === environment) ?? [];
  return (
    <Frame title={`Variables of ${environment}`} place={place}>
      <div class="stack">
        <div>
          <h1>
            {projectWord(project, projects)} / {environment}: shared variables
          </h1>
          <p class="muted">Services take those that their settings name.</p>
        </div>
        <Tabs
          label="Environments"
          tabs={[
            ...(found ? environmentsOf(found) : [environment]).map((name) => ({
              word: name,
              to: addressOf.sharedVariables({ project, environment: name }),
              isCurrent: name === environment,
            })),
            { word: 'Project settings', to: addressOf.projectSettings(project), isCurrent: false },
          ]}
        />
        {!isShown && (
          <Card label="Shared variables" isPadded>
            <Hidden />
          </Card>
        )}
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {isShown && value === null && failed === null && <Skeleton height={240} />}
        {value && (
          <KeyValueEditor
            title="Shared variables"
            means="Copies that start get the new values; those that run keep theirs until they are redeployed."
            variables={own.map(variableOf)}
            requestsOf={(rows) => changesOfShared(place, rows)}
            onSaved={reload}
          />
        )}
      </div>
    </Frame>
  );
}
