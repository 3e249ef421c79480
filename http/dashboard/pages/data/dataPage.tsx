import type { ComponentChildren } from 'preact';
import { useCallback } from 'preact/hooks';
import type { Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useProjects } from '../../kindPages/lists.ts';
import { DataTabs } from '../../components/dataTabs.tsx';
import { Frame } from '../../components/frame.tsx';
import { type ListOf, pagesIn } from '../../store/list.ts';
import { type LongList, useLongList, untilMore } from '../../store/longList.ts';
import { projectWord } from '../../model/project.ts';

interface DataPageProps {
  readonly title: string;
  /** What stands in the list. */
  readonly help: string;
  readonly tab: Parameters<typeof DataTabs>[0]['current'];
  readonly of: ListOf;
  /** Shown where the list is empty. */
  readonly empty: ComponentChildren;
  readonly table: (list: LongList<Summary>, wordOf: (project: string) => string) => ComponentChildren;
  /** Below the list, once it is read. */
  readonly children?: ComponentChildren;
}

/** A page of Data: everything of one kind, of every project. */
export function DataPage({ title, help, tab, of, empty, table, children }: DataPageProps) {
  const list = useLongList(pagesIn(of));
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title={title}>
      <div class="stack">
        <div>
          <h1>{title}</h1>
          <p class="muted">{help}</p>
        </div>
        <DataTabs current={tab} />
        <Loaded of={untilMore(list)} height={360}>
          {({ items }) => (
            <>
              <Card label={title}>{items.length === 0 ? empty : table(list, wordOf)}</Card>
              {children}
            </>
          )}
        </Loaded>
      </div>
    </Frame>
  );
}
