import { capital } from '../../model/capital.ts';
import { useEffect } from 'preact/hooks';
import type { Usage } from '../../../api.ts';
import { address, go } from '../../router.ts';
import { useLoaded } from '../../store/loaded.ts';
import { amount, type Chart, charts, summed, type Window, windows, windowWords } from '../../model/usage.ts';
import { Card } from '../card.tsx';
import { Empty } from '../empty.tsx';
import { withParam } from '../filter/query.ts';
import { Loaded } from '../loaded.tsx';
import { Select } from '../select.tsx';
import { loadStyles } from '../styles.ts';
import { ChartCanvas } from './chart.tsx';
import { withQuery } from '../../api.ts';
import type { TypedPath } from '../../model/routeAnswers.ts';

const rereadMs = 30_000;
const isWindow = (text: string | null): text is Window => windows.some((name) => name === text);

/** What something used over the window that the address names, read again every half minute. */
export function UsageCharts({ path }: { readonly path: TypedPath<Usage> }) {
  loadStyles('/assets/usage.css');
  const asked = new URLSearchParams(address.value.search).get('window');
  const window = isWindow(asked) ? asked : '1h';
  const loaded = useLoaded(withQuery(path, { window }), () => false);
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), rereadMs);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section class="stack" aria-label="Metrics">
      <WindowChoice window={window} />
      <Loaded of={loaded} height={480}>
        {(value) => (
          <>
            {!value.available && (
              <Card isPadded>
                <Empty title="No metrics yet" text={capital(value.message ?? '')} />
              </Card>
            )}
            {value.available && (
              <div class="charts">
                {charts
                  .filter(({ lines }) => lines.some(({ name }) => value.series[name] !== undefined))
                  .map((chart) => (
                    <ChartCard key={chart.title} chart={chart} series={value.series} />
                  ))}
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

const WindowChoice = ({ window }: { readonly window: Window }) => (
  <Select
    label="Window"
    value={window}
    options={windows.map((value) => ({ value, label: windowWords[value] }))}
    onChoose={(value) => go(withParam(address.peek(), 'window', value), 'replace')}
  />
);

const ChartCard = ({ chart, series }: { readonly chart: Chart; readonly series: Usage['series'] }) => (
  <Card title={chart.title}>
    <div class="card-body">
      <dl class="chart-words">
        {chart.lines.map(({ name, label }, index) => (
          <div key={name} data-line={index}>
            <dt>{label}</dt>
            <dd>{inWords(series[name] ?? [], chart)}</dd>
          </div>
        ))}
      </dl>
      <ChartCanvas chart={chart} series={series} />
    </div>
  </Card>
);

function inWords(points: readonly { readonly v: number }[], { unit }: Chart): string {
  const values = summed(points);
  if (values === null) return 'no values in this window';
  return `${amount(values.newest, unit)} (${amount(values.min, unit)} to ${amount(values.max, unit)})`;
}
