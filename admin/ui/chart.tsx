import styles from "./chart.module.css";

const STEP = 6;
/** From this number of bars on, they fill most of their space. */
const MANY = 12;

export interface Bar {
  /** Shown on hover. */
  label: string;
  good: number;
  bad?: number;
}

interface BarChartProps {
  /** What the chart shows, with its sums, for screen readers. */
  label: string;
  bars: readonly Bar[];
  /** The texts below the first and the last bar. */
  ends: readonly [string, string];
  /** In pixels. */
  height: number;
}

/** A chart of bars, each with a good and a bad part. It is as wide as its parent. */
export function BarChart({ label, bars, ends, height }: BarChartProps) {
  const width = bars.length < MANY ? STEP / 3 : STEP - 2;
  const most = Math.max(...bars.map(({ good, bad = 0 }) => good + bad));
  // At least two pixels, so that small values are visible.
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * height));
  return (
    <figure>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${bars.length * STEP} ${height}`}
        height={height}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((bar, index) => {
          const bad = heightOf(bar.bad ?? 0);
          const good = Math.min(heightOf(bar.good), height - bad);
          const x = index * STEP + (STEP - width) / 2;
          return (
            <g key={bar.label}>
              <title>{bar.label}</title>
              <rect x={index * STEP} y={0} width={STEP} height={height} className={styles.area} />
              <rect x={x} y={height - 1} width={width} height={1} className={styles.none} />
              <rect x={x} y={height - good} width={width} height={good} className={styles.good} />
              <rect x={x} y={height - good - bad} width={width} height={bad} className={styles.bad} />
            </g>
          );
        })}
      </svg>
      <figcaption className={styles.ends} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </figcaption>
    </figure>
  );
}
