import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Usage } from '../../../api.ts';
import { theme } from '../../store/theme.ts';
import { zone } from '../../store/zone.ts';
import { clockTime } from '../../model/time.ts';
import { aligned, amount, type Chart } from '../../model/usage.ts';

const height = 180;
const strokes = ['--active', '--unknown'] as const;

/** A colour of the theme as a canvas takes it, which knows no variables. */
function colourIn(place: HTMLElement, name: string): string {
  place.style.color = `var(${name})`;
  const { color } = getComputedStyle(place);
  place.style.color = '';
  return color;
}

/** Steps of an axis of bytes, from one byte to a tebibyte. */
const powersOfTwo = Array.from({ length: 41 }, (_, power) => 2 ** power);

function axesOf({ unit }: Chart, place: HTMLElement): uPlot.Axis[] {
  const look = {
    stroke: colourIn(place, '--muted'),
    grid: { stroke: colourIn(place, '--line'), width: 1 },
    ticks: { show: false },
  };
  return [
    { ...look, space: 70, values: (_, times) => times.map((t) => clockTime(t * 1_000)) },
    {
      ...look,
      size: 84,
      ...(unit === 'bytes' ? { incrs: powersOfTwo } : {}),
      values: (_, values) => values.map((value) => amount(value, unit)),
    },
  ];
}

function optionsOf(chart: Chart, place: HTMLElement): uPlot.Options {
  return {
    width: place.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: (_, _least, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: axesOf(chart, place),
    series: [
      {},
      ...chart.lines.map(({ label }, index) => ({
        label: label,
        stroke: colourIn(place, strokes[index] ?? '--ink'),
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
}

interface ChartProps {
  readonly chart: Chart;
  readonly series: Usage['series'];
}

/** Draws the series of one unit. What it shows stands beside it in words. */
export function ChartCanvas({ chart, series }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot | null>(null);
  const data = aligned(chart.lines.map(({ name }) => series[name] ?? [])) as uPlot.AlignedData;
  useEffect(() => {
    const place = box.current;
    if (!place) return undefined;
    drawn.current = new uPlot(optionsOf(chart, place), data, place);
    const resized = new ResizeObserver(() => drawn.current?.setSize({ width: place.clientWidth, height }));
    resized.observe(place);
    return () => {
      resized.disconnect();
      drawn.current?.destroy();
    };
  }, [theme.value, zone.value, chart]);
  useEffect(() => drawn.current?.setData(data), [series]);
  return <div ref={box} class="chart" aria-hidden="true" />;
}
