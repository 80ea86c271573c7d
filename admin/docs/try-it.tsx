import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { TextField, Form } from "../ui/forms/form.tsx";
import { Badge } from "../ui/values/badge.tsx";
import { Code } from "./code.tsx";
import type { SampleRequest } from "./samples.ts";
import styles from "./docs.module.css";
import { copy } from "./copy.ts";

interface Answer {
  status: number;
  milliseconds: number;
  requestId: string | null;
  body: string;
}

interface TryItProps {
  request: SampleRequest;
  /** Only held in memory while the page is open. */
  apiKey: string;
  onKey: (apiKey: string) => void;
}

/** Sends the sample's request and shows the response. */
export function TryIt({ request, apiKey, onKey }: TryItProps) {
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const run = async () => {
    setSending(true);
    try {
      setAnswer(await send(request, apiKey));
      setError(null);
    } catch {
      setAnswer(undefined);
      setError(new Error(copy.tryIt.unreachable));
    } finally {
      setSending(false);
    }
  };
  return (
    <div className={styles.try}>
      <Form error={error} onSubmit={() => !isSending && void run()}>
        <TextField
          name="key"
          label={copy.tryIt.key}
          type="password"
          hint={copy.tryIt.keyHint}
          value={apiKey}
          onChange={(event) => onKey(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="primary" busy={isSending}>
            {copy.tryIt.send(request.method)}
          </Button>
        </div>
      </Form>
      {answer && (
        <div role="status" aria-label={copy.tryIt.response}>
          <p className={styles.status}>
            <Badge tone={answer.status < 400 ? "good" : "bad"}>{answer.status}</Badge>
            <span className={styles.soft}>{copy.tryIt.details(answer.milliseconds, answer.requestId)}</span>
          </p>
          <Code text={answer.body} label={copy.tryIt.response} />
        </div>
      )}
    </div>
  );
}

async function send({ method, url, body }: SampleRequest, apiKey: string): Promise<Answer> {
  const started = performance.now();
  const headers: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {};
  if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    headers["Idempotency-Key"] = crypto.randomUUID();
  }
  // Sent to this page's own server, whatever address the samples show, and without Admin's session.
  const { pathname, search } = new URL(url);
  const response = await fetch(pathname + search, { method, headers, body, credentials: "omit", cache: "no-store" });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - started);
  return { status: response.status, milliseconds, requestId: response.headers.get("X-Request-Id"), body: format(text) };
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
