import { Badge } from "../ui/values/badge.tsx";
import { formatDuration, Time } from "../ui/values/time.tsx";
import { RawText } from "../ui/values/raw-text.tsx";
import layout from "../ui/layout.module.css";
import styles from "./deliveries.module.css";
import type { DeliveryAttempt } from "./delivery-queries.ts";
import { copy } from "./copy.ts";

/** An attempt with its outcome, the duration of its phases, its request headers and its response. */
export function Attempt({ attempt, isOpen = false }: { attempt: DeliveryAttempt; isOpen?: boolean }) {
  const { errorClass, error, responseStatus, isProbe, startedAt, totalMs } = attempt;
  return (
    <article className={`${layout.card} ${styles.attempt}`}>
      <div className={layout.row}>
        <Badge tone={errorClass ? "bad" : "good"}>
          {responseStatus ?? (errorClass ? copy.errorClasses[errorClass] : copy.attempt.succeeded)}
        </Badge>
        {isProbe && <Badge>{copy.attempt.probe}</Badge>}
        <Time value={startedAt} />
        <span className={styles.total}>{formatDuration(totalMs)}</span>
      </div>
      {error && <p className={styles.error}>{error}</p>}
      <Phases attempt={attempt} />
      <details open={isOpen}>
        <summary>{copy.attempt.response}</summary>
        <Headers headers={attempt.responseHeaders} />
        <RawText label={copy.attempt.responseBody}>{attempt.responseBody ?? copy.attempt.noResponse}</RawText>
      </details>
      <details>
        <summary>{copy.attempt.requestHeaders}</summary>
        <Headers headers={attempt.requestHeaders} />
      </details>
    </article>
  );
}

/** The duration of each phase, as a bar and in numbers. Phases that were not reached are omitted. */
function Phases({ attempt }: { attempt: DeliveryAttempt }) {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = attempt;
  const before = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0);
  const phases = [
    [copy.attempt.dns, dnsMs],
    [copy.attempt.connect, connectMs],
    [copy.attempt.tls, tlsMs],
    [copy.attempt.wait, Math.max(0, (firstByteMs ?? totalMs) - before)],
    [copy.attempt.read, firstByteMs === null ? null : Math.max(0, totalMs - firstByteMs)],
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
            <dd>{length === null ? "–" : formatDuration(length)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Headers({ headers }: { headers: DeliveryAttempt["requestHeaders"] }) {
  if (!headers?.length) return null;
  return (
    <RawText label={copy.attempt.headers}>{headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}</RawText>
  );
}
