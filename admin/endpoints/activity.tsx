import { formatDuration } from "../ui/values/duration.ts";
import { formatNumber } from "../ui/values/money.ts";
import type { EndpointRow } from "./endpoint-queries.ts";
import styles from "./endpoints.module.css";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

const HEIGHT = 32;
const STEP = 6;
const WIDTH = 4;

type Hours = EndpointRow["hourlyAttempts"];

/** Charts of the last 24 hours: successful and failed attempts, and the 95th percentile of their durations. */
export function Activity({ hours }: { hours: Hours }) {
  const attempts = hours.reduce((sum, each) => sum + each.attempts, 0);
  const failures = hours.reduce((sum, each) => sum + each.failures, 0);
  const slowest = Math.max(0, ...hours.map(({ p95Ms }) => p95Ms ?? 0));
  const most = Math.max(1, ...hours.map((each) => each.attempts));
  return (
    <div className={styles.activity}>
      <Chart
        label={copy.figures.succeeded}
        value={copy.figures.count(formatNumber(attempts - failures), formatNumber(attempts))}
        bars={hours.map((each) => [(each.attempts - each.failures) / most, each.failures / most])}
      />
      <Chart
        label={copy.figures.slowest}
        value={slowest > 0 ? formatDuration(slowest) : "–"}
        bars={hours.map(({ p95Ms }) => [(p95Ms ?? 0) / (slowest || 1), 0])}
      />
    </div>
  );
}

/** A chart of bars, each with a lower and an upper part. */
function Chart({ label, value, bars }: { label: string; value: string; bars: [number, number][] }) {
  return (
    <figure className={styles.chart}>
      <figcaption>
        <span className={text.small}>{label}</span> <strong>{value}</strong>
      </figcaption>
      <svg width={bars.length * STEP} height={HEIGHT} aria-hidden="true">
        {bars.map(([lower, upper], index) => (
          <Bar key={index} x={index * STEP} lower={heightOf(lower)} upper={heightOf(upper)} />
        ))}
      </svg>
    </figure>
  );
}

/** At least two pixels, so that small values are visible. */
const heightOf = (part: number) => (part === 0 ? 0 : Math.max(2, Math.round(part * HEIGHT)));

function Bar({ x, lower, upper }: { x: number; lower: number; upper: number }) {
  if (lower + upper === 0) return <rect x={x} y={HEIGHT - 1} width={WIDTH} height={1} className={styles.none} />;
  const base = Math.min(lower, HEIGHT - upper);
  return (
    <>
      <rect x={x} y={HEIGHT - base} width={WIDTH} height={base} className={styles.well} />
      <rect x={x} y={HEIGHT - base - upper} width={WIDTH} height={upper} className={styles.ill} />
    </>
  );
}
