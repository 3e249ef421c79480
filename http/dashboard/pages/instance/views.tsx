import type { InstanceRead } from '../../../api.ts';
import type { KindView } from '../../kindPages/kindPage.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Skeleton } from '../../components/note.tsx';
import { viewHere } from '../../router.ts';
import type { Reading } from './reading.ts';
import { pathTo } from '../../api.ts';

const JsonView = lazyPart(async () => (await import('./jsonView.tsx')).JsonView);

/** The views of an instance: the overview, those of its kind, and its JSON. */
export function InstanceTabs({ reading, view }: { readonly reading: Reading; readonly view: string }) {
  const { page } = reading;
  const own = page?.views.filter(({ isOffered }) => isOffered()) ?? [];
  const views = [{ name: '', label: 'Overview' }, ...own, { name: 'json', label: 'JSON' }];
  const current = views.find(({ name }) => name === view)?.name ?? '';
  return (
    <Tabs
      label="Views"
      tabs={views.map(({ name, label }) => ({ label, to: viewHere(name), isCurrent: name === current }))}
    />
  );
}

interface ViewProps {
  readonly view: KindView<unknown> | 'json';
  readonly reading: Reading;
  readonly instance: InstanceRead;
}

/**
 * A view other than the overview. Without an object of its own, or after its deletion, the instance itself is shown.
 */
export function InstanceView({ view, reading, instance }: ViewProps) {
  const { page, input, machine, id } = reading;
  const { name, deletedAt } = instance;
  if (view !== 'json' && input) return <>{view.show(input)}</>;
  if (view !== 'json') return deletedAt === undefined ? <Skeleton height={420} /> : <p class="muted">Deleted.</p>;
  const whole = page?.path(name) ?? null;
  return input && whole !== null ? (
    <JsonView name={name} path={whole} value={input.object} />
  ) : (
    <JsonView
      name={name}
      path={pathTo('GET /machines/{machine}/instances/{instance}', { machine, instance: id })}
      value={instance}
    />
  );
}
