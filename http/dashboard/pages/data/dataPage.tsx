import type { ComponentChildren } from 'preact';
import { useCallback } from 'preact/hooks';
import type { Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { useProjects } from '../../kindPages/lists.ts';
import { DataTabs } from '../../components/dataTabs.tsx';
import { Frame } from '../../components/frame.tsx';
import { Failed, Skeleton } from '../../components/note.tsx';
import { type ListOf, pagesIn } from '../../store/list.ts';
import { type LongList, useLongList } from '../../store/longList.ts';
import { isWhole } from '../../store/pages.ts';
import { projectWord } from '../../model/project.ts';

interface DataPageProps {
  readonly title: string;
  /** What stands in the list. */
  readonly means: string;
  readonly tab: Parameters<typeof DataTabs>[0]['current'];
  readonly of: ListOf;
  /** Shown where the list is empty. */
  readonly empty: ComponentChildren;
  readonly table: (list: LongList<Summary>, wordOf: (project: string) => string) => ComponentChildren;
  /** Below the list, once it is read. */
  readonly children?: ComponentChildren;
}

/** A page of Data: everything of one kind, of every project. */
export function DataPage({ title, means, tab, of, empty, table, children }: DataPageProps) {
  const list = useLongList(pagesIn(of));
  const { value, failed, readAt, reload } = list;
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title={title}>
      <div class="stack">
        <div>
          <h1>{title}</h1>
          <p class="muted">{means}</p>
        </div>
        <DataTabs current={tab} />
        <Failed failed={value && !isWhole(value) ? null : failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value && <Card label={title}>{value.items.length === 0 ? empty : table(list, wordOf)}</Card>}
        {value && children}
      </div>
    </Frame>
  );
}
