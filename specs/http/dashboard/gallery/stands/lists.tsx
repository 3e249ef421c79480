import { readFilter, writeFilter } from '../../../../../http/dashboard/model/filter.ts';
import { compareInstances, filteredInstance, shownBy } from '../../../../../http/dashboard/model/filtered.ts';
import { Diagram } from '../../../../../http/dashboard/diagram/diagram.tsx';
import { InstanceList } from '../../../../../http/dashboard/pages/machine/instanceList.tsx';
import { ChoiceField } from '../../../../../http/dashboard/components/filter/choiceField.tsx';
import { FilterBar } from '../../../../../http/dashboard/components/filter/filterBar.tsx';
import { withParam } from '../../../../../http/dashboard/components/filter/query.ts';
import { LogView } from '../../../../../http/dashboard/components/log/logView.tsx';
import { useLog } from '../../../../../http/dashboard/components/log/useLog.ts';
import { address, go } from '../../../../../http/dashboard/router.ts';
import { now } from '../../../../../http/dashboard/store/clock.ts';
import { countWord } from '../../../../../http/dashboard/model/listCount.ts';
import { stateCounts } from '../../../../../http/dashboard/model/stateCounts.ts';
import { useSignal } from '@preact/signals';
import { buildMachine, manyInstances, moves } from '../fixtures.ts';
import type { Stand } from '../stand.tsx';

const counts = { Running: 1250, Succeeded: 1250, Failed: 1250, Pending: 1250 };
const addressOf = (state: string) => `/?part=diagram&state=${state}`;
const marks = {
  current: 'FailedBeforeJob',
  moves: moves.filter(({ machine }) => machine === 'build'),
  next: new Set(['BLD-158']),
};
const drawn = { machine: buildMachine, what: 'builds', addressOf };

const diagram: Stand = {
  name: 'diagram',
  states: [
    ['with counts', () => <Diagram {...drawn} counts={counts} chosen={['Failed']} />],
    [
      'narrow',
      () => (
        <div style={{ width: '560px', maxWidth: '100%' }}>
          <Diagram {...drawn} counts={{}} marks={marks} />
        </div>
      ),
    ],
    ['far below the window', () => <div style={{ height: '3000px' }} />],
    ['of one instance', () => <Diagram {...drawn} counts={{}} marks={marks} />],
  ],
};

const many = manyInstances(5000);

/** A list as a page has it: the filter and the order are in the address. */
function Filtered() {
  const filter = readFilter(address.value.search, ['kind']);
  const renamed = useSignal(0);
  const isShown = shownBy(filter, { now: now.value, resting: new Set(['Succeeded']) });
  const items = many
    .map((item, index) => (index < renamed.value ? { ...item, since: '2030-01-01T00:00:00.000Z' } : item))
    .filter((item) => isShown(filteredInstance(item)))
    .sort(compareInstances(filter));
  const addressWith = (next: typeof filter) => withParam({ path: '/', search: writeFilter(next) }, 'part', 'table');
  return (
    <section class="card" aria-label="Builds">
      <button type="button" class="button button-small" onClick={() => (renamed.value = 100)}>
        Move a hundred
      </button>
      <FilterBar
        what="builds"
        filter={filter}
        addressOf={addressWith}
        states={stateCounts(buildMachine, counts)}
        count={countWord({ shown: items.length, read: many.length, hasMore: false, total: many.length })}
        moves
      >
        <ChoiceField
          label="Kind"
          value={filter.own['kind'] ?? ''}
          options={['service', 'database']}
          onChange={(kind) => go(addressWith({ ...filter, own: { kind } }), 'replace')}
        />
      </FilterBar>
      <InstanceList
        items={items}
        machine="build"
        kinds={['CoreBuild']}
        filter={filter}
        onSort={(sorting) => go(addressWith({ ...filter, ...sorting }), 'replace')}
        onHold={() => {}}
      />
    </section>
  );
}

const table: Stand = { name: 'table', states: [['five thousand', () => <Filtered />]] };

interface ReadLogProps {
  readonly label: string;
  readonly path: string;
  readonly isLive: boolean;
}

function ReadLog({ label, path, isLive }: ReadLogProps) {
  const log = useLog({ path, follow: isLive, run: '1' }).value;
  return <LogView label={label} log={log} of={path} isLive={isLive} download={null} />;
}

const log: Stand = {
  name: 'log',
  states: [
    ['live', () => <ReadLog label="Live log" path="/api/log/live" isLive />],
    ['finished', () => <ReadLog label="Finished log" path="/api/log/done" isLive={false} />],
    ['gone', () => <ReadLog label="Gone log" path="/api/log/gone" isLive={false} />],
    ['empty', () => <ReadLog label="Empty log" path="/api/log/empty" isLive={false} />],
  ],
};

export const listSamples: readonly Stand[] = [diagram, table, log];
