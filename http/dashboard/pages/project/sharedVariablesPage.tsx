import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ofProject } from '../../kindPages/service/concerns.ts';
import { useProjects } from '../../kindPages/lists.ts';
import { Frame } from '../../components/frame.tsx';
import { KeyValueEditor } from '../../components/keyValue/keyValueEditor.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Hidden } from '../../components/value.tsx';
import { addressOf, type Place } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { mayReadSensitive } from '../../store/session.ts';
import { environmentsOf, projectWord } from '../../model/project.ts';
import { changesOfShared, variableOf } from '../../model/variables.ts';
import { pageHelp, savedHelp } from './text.ts';

/** The variables that the services of an environment may take (UI-004). */
export function SharedVariablesPage(place: Place) {
  const { project, environment } = place;
  const projects = useProjects().value?.items;
  const known = projects?.find(({ name }) => name === project);
  const isShown = mayReadSensitive();
  const loaded = useLoaded(
    isShown ? pathTo('GET /projects/{project}/variables', { project: project }) : null,
    ofProject(project),
  );
  return (
    <Frame title={`Variables of ${environment}`} place={place}>
      <div class="stack">
        <div>
          <h1>
            {projectWord(project, projects)} / {environment}: shared variables
          </h1>
          <p class="muted">{pageHelp}</p>
        </div>
        <Tabs
          label="Environments"
          tabs={[
            ...(known ? environmentsOf(known) : [environment]).map((name) => ({
              label: name,
              to: addressOf.sharedVariables({ project, environment: name }),
              isCurrent: name === environment,
            })),
            { label: 'Project settings', to: addressOf.projectSettings(project), isCurrent: false },
          ]}
        />
        {isShown ? (
          <Loaded of={loaded} height={240}>
            {({ items }) => (
              <KeyValueEditor
                title="Shared variables"
                help={savedHelp}
                variables={items.filter((one) => one.environment === environment).map(variableOf)}
                requestsOf={(rows) => changesOfShared(place, rows)}
                onSaved={loaded.reload}
              />
            )}
          </Loaded>
        ) : (
          <Card label="Shared variables" isPadded>
            <Hidden />
          </Card>
        )}
      </div>
    </Frame>
  );
}
