import { useState } from "react";
import styles from "./chart.module.css";
import { copy } from "./copy.ts";

const STEP = 6;
/** From this number of bars on, they fill most of their space. */
const MANY = 12;

export interface Bar {
  /** Shown while the bar is chosen. */
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
  /** Writes the value of the highest bar. */
  format: (value: number) => string;
}

/** A chart of bars, each with a good and a bad part. It is as wide as its parent. The pointer or arrow keys choose a bar. */
export function BarChart({ label, bars, ends, height, format }: BarChartProps) {
  const [chosen, choose] = useState<number>();
  const width = bars.length < MANY ? STEP / 3 : STEP - 2;
  const most = Math.max(...bars.map(({ good, bad = 0 }) => good + bad));
  // At least two pixels, so that small values are visible.
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * height));
  return (
    <figure>
      <span className={styles.scale} aria-hidden="true">
        {format(most)}
      </span>
      <div className={styles.frame}>
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
                {index === chosen && (
                  <rect x={index * STEP} y={0} width={STEP} height={height} className={styles.chosen} />
                )}
                <rect x={x} y={height - 1} width={width} height={1} className={styles.none} />
                <rect x={x} y={height - good} width={width} height={good} className={styles.good} />
                <rect x={x} y={height - good - bad} width={width} height={bad} className={styles.bad} />
              </g>
            );
          })}
        </svg>
        <Chooser bars={bars} chosen={chosen} onChoose={choose} />
      </div>
      <figcaption className={styles.ends} aria-hidden="true">
        {(chosen === undefined ? ends : [bars[chosen]!.label]).map((each) => (
          <span key={each}>{each}</span>
        ))}
      </figcaption>
    </figure>
  );
}

interface ChooserProps {
  bars: readonly Bar[];
  chosen: number | undefined;
  onChoose: (index: number | undefined) => void;
}

/** Chooses a bar by arrow keys, touch or mouse, and says its value to screen readers. */
function Chooser({ bars, chosen, onChoose }: ChooserProps) {
  const last = bars.length - 1;
  const shown = chosen ?? last;
  return (
    <input
      type="range"
      className={styles.chooser}
      min={0}
      max={last}
      value={shown}
      aria-label={copy.bar}
      aria-valuetext={bars[shown]?.label}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
      onFocus={() => onChoose(shown)}
      onBlur={() => onChoose(undefined)}
      onPointerMove={({ currentTarget, nativeEvent }) => {
        const index = Math.floor((nativeEvent.offsetX / currentTarget.offsetWidth) * bars.length);
        onChoose(Math.max(0, Math.min(last, index)));
      }}
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && onChoose(undefined)}
    />
  );
}
