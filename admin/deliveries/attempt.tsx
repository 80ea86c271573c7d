import { Badge } from "../ui/values/badge.tsx";
import { tellDuration } from "../ui/values/duration.ts";
import { Time } from "../ui/values/time.tsx";
import styles from "./deliveries.module.css";
import type { DeliveryAttempt } from "./delivery-queries.ts";
import { sayErrorClass } from "./words.tsx";

/** One attempt: its outcome, how long each phase took, what was sent and what came back. */
export function Attempt({ attempt, isOpen = false }: { attempt: DeliveryAttempt; isOpen?: boolean }) {
  const { errorClass, error, responseStatus, isProbe, startedAt, totalMs } = attempt;
  return (
    <article className={styles.attempt}>
      <div className={styles.line}>
        <Badge tone={errorClass ? "bad" : "good"}>
          {responseStatus ?? (errorClass ? sayErrorClass(errorClass) : "Succeeded")}
        </Badge>
        {isProbe && <Badge>Probe</Badge>}
        <Time value={startedAt} />
        <span className={styles.total}>{tellDuration(totalMs)}</span>
      </div>
      {error && <p className={styles.error}>{error}</p>}
      <Phases attempt={attempt} />
      <details open={isOpen}>
        <summary>Answer</summary>
        <Headers headers={attempt.responseHeaders} />
        <Text label="Answer’s body">{attempt.responseBody ?? "No answer came."}</Text>
      </details>
      <details>
        <summary>Request headers</summary>
        <Headers headers={attempt.requestHeaders} />
      </details>
    </article>
  );
}

/** Phases in their order, each with its share. What did not come to pass has none. */
function Phases({ attempt }: { attempt: DeliveryAttempt }) {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = attempt;
  const before = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0);
  const phases = [
    ["Look-up", dnsMs],
    ["Connect", connectMs],
    ["TLS", tlsMs],
    ["Waiting", Math.max(0, (firstByteMs ?? totalMs) - before)],
    ["Reading", firstByteMs === null ? null : Math.max(0, totalMs - firstByteMs)],
  ] as const;
  let start = 0;
  return (
    <div>
      <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        {phases.map(([name, length], index) => {
          const width = totalMs > 0 ? (100 * (length ?? 0)) / totalMs : 0;
          start += width;
          return (
            <rect key={name} x={start - width} y={0} width={width} height={1} className={styles[`phase${index}`]} />
          );
        })}
      </svg>
      <dl className={styles.phases}>
        {phases.map(([name, length], index) => (
          <div key={name}>
            <dt>
              <svg width={8} height={8} aria-hidden="true">
                <rect width={8} height={8} rx={2} className={styles[`phase${index}`]} />
              </svg>{" "}
              {name}
            </dt>
            <dd>{length === null ? "–" : tellDuration(length)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Headers({ headers }: { headers: DeliveryAttempt["requestHeaders"] }) {
  if (!headers?.length) return null;
  return <Text label="Headers">{headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</Text>;
}

/** Text as it went over the wire, to scroll by keyboard too. */
export function Text({ label, children }: { label: string; children: string }) {
  return (
    <pre className={styles.text} role="group" tabIndex={0} aria-label={label}>
      {children || "(empty)"}
    </pre>
  );
}
