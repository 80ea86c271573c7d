import styles from "./chart.module.css";

const STEP = 6;
const WIDTH = 4;

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
  /** In pixels. */
  height: number;
}

/** A chart of bars, each with a good and a bad part. It is as wide as its parent. */
export function BarChart({ label, bars, height }: BarChartProps) {
  const most = Math.max(...bars.map(({ good, bad = 0 }) => good + bad));
  // At least two pixels, so that small values are visible.
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * height));
  return (
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
        const x = index * STEP + 1;
        return (
          <g key={bar.label}>
            <title>{bar.label}</title>
            <rect x={index * STEP} y={0} width={STEP} height={height} className={styles.area} />
            <rect x={x} y={height - 1} width={WIDTH} height={1} className={styles.none} />
            <rect x={x} y={height - good} width={WIDTH} height={good} className={styles.good} />
            <rect x={x} y={height - good - bad} width={WIDTH} height={bad} className={styles.bad} />
          </g>
        );
      })}
    </svg>
  );
}
