import { useCallback } from 'preact/hooks';
import { Card } from '../../components/card.tsx';
import { Frame } from '../../components/frame.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { services, useProjects } from '../../kindPages/lists.ts';
import { pagesIn } from '../../store/list.ts';
import { useLongList, untilMore } from '../../store/longList.ts';
import { projectWord } from '../../model/project.ts';
import { pageHelp, noServiceText } from './text.ts';

const kinds = [services];

/** Every service of every project. */
export function ServicesPage() {
  const list = useLongList(pagesIn(services));
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title="Services">
      <div class="stack">
        <div>
          <h1>Services</h1>
          <p class="muted">{pageHelp}</p>
        </div>
        <Loaded of={untilMore(list)} height={360} empty={<NoServices />}>
          {() => (
            <Card label="Services">
              <ResourceList what="service" list={list} of={kinds} projectWord={wordOf} />
            </Card>
          )}
        </Loaded>
      </div>
    </Frame>
  );
}

const NoServices = () => (
  <Card label="Services">
    <Empty title="No service yet" text={noServiceText}>
      <a class="button button-main" href={addressOf.home()}>
        Deploy your first service
      </a>
    </Empty>
  </Card>
);
