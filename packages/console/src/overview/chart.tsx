/** A column chart over time, with a summary sentence and a table of the same data. */
import { useId, useState } from 'preact/hooks';
import { Table } from '../parts/table.tsx';

export interface Series {
  name: string;
  /** The class that gives the series its color. */
  tone: string;
  /** One value per column. Undefined: no value. */
  values: readonly (number | undefined)[];
}

interface ChartProps {
  title: string;
  /** One sentence for screen readers. */
  summary: string;
  columns: readonly string[];
  /** Stacked. */
  series: readonly Series[];
  /** Returns the top of the scale for the highest column. */
  scale(highest: number): number;
  format(value: number): string;
  /** The text of a series while the pointer is on no column. */
  total(series: Series): string;
}

/** Widths of a column with its gap, and of the gap. */
const step = 10;
const gap = 2.4;
const height = 100;

export function Chart({ title, summary, columns, series, scale, format, total }: ChartProps) {
  const [at, setAt] = useState<number>();
  const id = useId();
  const sums = columns.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = scale(Math.max(0, ...sums));
  const point = ({ clientX, currentTarget }: PointerEvent & { currentTarget: Element }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(columns.length - 1, Math.floor(((clientX - left) / width) * columns.length))));
  };
  const figureOf = (one: Series) => {
    if (at === undefined) return total(one);
    const value = one.values[at];
    return value === undefined ? 'none' : format(value);
  };
  return (
    <figure class="chart card" aria-labelledby={id}>
      <figcaption class="chart-head">
        <div class="chart-title">
          <h2 id={id}>{title}</h2>
          <span class="chart-when number" aria-hidden="true">
            {at === undefined ? '' : columns[at]}
          </span>
        </div>
        <ul class="legend-list" aria-hidden="true">
          {series.filter(isShown).map((one) => (
            <li key={one.name}>
              <span class={`swatch ${one.tone}`} />
              {one.name} <b class="number">{figureOf(one)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <div class="plot">
        <ol class="scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <li key={value}>{format(value)}</li>
          ))}
        </ol>
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${columns.length * step} ${height}`}
          preserveAspectRatio="none"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setAt(undefined)}
        >
          {[0, 0.5, 1].map((share) => (
            <line key={share} class="grid" x1={0} x2={columns.length * step} y1={share * height} y2={share * height} />
          ))}
          {at !== undefined && <rect class="pointed" x={at * step} y={0} width={step} height={height} />}
          {columns.map((column, index) => (
            <g key={column}>{stack(series, index, top)}</g>
          ))}
        </svg>
        <ol class="times" aria-hidden="true">
          {[columns[0], columns[Math.floor(columns.length / 2)], columns.at(-1)].map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
      </div>
      <details class="as-table">
        <summary>Show as a table</summary>
        <div class="table-scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
          <Table heads={['From', ...series.map(({ name }) => [name, 'number'] as const)]}>
            {columns.map((column, index) => (
              <tr key={column}>
                <th scope="row">{column}</th>
                {series.map(({ name, values }) => (
                  <td key={name} class="number">
                    {values[index] === undefined ? '' : format(values[index])}
                  </td>
                ))}
              </tr>
            ))}
          </Table>
        </div>
      </details>
    </figure>
  );
}

/** The legend omits series without values, except the first. */
const isShown = ({ values }: Series, index: number): boolean => index === 0 || values.some((value) => value);

function stack(series: readonly Series[], index: number, top: number) {
  let from = height;
  return series.map(({ name, tone, values }) => {
    const high = top > 0 ? ((values[index] ?? 0) / top) * height : 0;
    from -= high;
    return high > 0 ? (
      <rect key={name} class={`column ${tone}`} x={index * step + gap / 2} y={from} width={step - gap} height={high} />
    ) : null;
  });
}
