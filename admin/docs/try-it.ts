import { samples, type Language, type SampleRequest } from "../../src/reference/samples.ts";
import { all, make, one, show } from "./elements.ts";
import { copy } from "./copy.ts";

/** The headers of an answer that the reference explains. */
const shownHeaders = [
  "Location",
  "ETag",
  "Link",
  "Idempotent-Replayed",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
];

/** Fills the samples with what is typed, and sends it. */
export function offerTrying(): void {
  const shopId = new URLSearchParams(location.search).get("shop") ?? "";
  for (const link of all("[data-for-staff]")) link.hidden = shopId === "";
  for (const form of all<HTMLFormElement>(".try form")) {
    const shop = form.querySelector<HTMLInputElement>('input[name="shopId"]');
    if (shop) shop.value = shopId;
    form.addEventListener("input", () => showSamples(form));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form);
    });
    suggestKey(form);
    showSamples(form);
  }
  shareKey();
}

/** Keeps the API key the same in all forms, in memory alone. */
function shareKey(): void {
  const fields = all<HTMLInputElement>('.try input[name="key"]');
  for (const field of fields) {
    field.addEventListener("input", () => {
      for (const other of fields) other.value = field.value;
    });
  }
}

/** Suggests an idempotency key that the shop has not used. */
function suggestKey(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[name="Idempotency-Key"]');
  if (field) field.value = `try-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
}

/** Reads what is typed. Examples stand in for empty parts of the path, which the form does not send. */
function readRequest(form: HTMLFormElement): SampleRequest {
  const inputs = all<HTMLInputElement>("input[data-in]", form);
  const typed = (place: string) => inputs.filter((input) => input.dataset.in === place && input.value !== "");
  const path = form.dataset.path!.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { value, placeholder } = inputs.find((input) => input.name === name)!;
    return encodeURIComponent(value || placeholder);
  });
  const query = new URLSearchParams(typed("query").map(({ name, value }) => [name, value])).toString();
  return {
    method: form.dataset.method!,
    url: one("main").dataset.origin! + path + (query && `?${query}`),
    headers: Object.fromEntries(typed("header").map(({ name, value }) => [name, value])),
    body: form.querySelector("textarea")?.value,
    needsKey: form.dataset.needsKey !== undefined,
  };
}

function showSamples(form: HTMLFormElement): void {
  const request = readRequest(form);
  for (const pre of all("[data-tabs] pre", form.closest("section")!)) {
    show(pre, samples[pre.dataset.language as Language](request));
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const button = one<HTMLButtonElement>('button[type="submit"]', form);
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  const answer = one(".answer", form);
  try {
    answer.replaceChildren(
      ...(await exchange(readRequest(form), form.querySelector<HTMLInputElement>('[name="key"]')?.value)),
    );
  } catch (error) {
    answer.replaceChildren(make("p", { class: "failure", text: messageOf(error) }));
  }
  button.ariaBusy = "false";
}

/** Sends to this page's own server, not to the address in the samples, and without Admin's session. */
async function exchange({ method, url, headers, body }: SampleRequest, apiKey: string | undefined): Promise<Node[]> {
  const sent = new Headers(headers);
  if (apiKey) sent.set("Authorization", `Bearer ${apiKey}`);
  if (body !== undefined) sent.set("Content-Type", "application/json");
  const { pathname, search } = new URL(url);
  const started = performance.now();
  const response = await fetch(pathname + search, {
    method,
    headers: sent,
    body,
    credentials: "omit",
    cache: "no-store",
  }).catch(() => Promise.reject(new Error(copy.unreachable)));
  const text = await response.text();
  return describeAnswer(response, text, Math.round(performance.now() - started));
}

function describeAnswer({ ok, status, headers }: Response, text: string, milliseconds: number): Node[] {
  const pre = make("pre");
  pre.tabIndex = 0;
  show(pre, format(text));
  const pairs = shownHeaders.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [make("dt", { text: name }), make("dd", { text: value })];
  });
  return [
    make("p", {}, [
      make("b", { class: ok ? "status" : "status bad", text: String(status) }),
      make("span", { class: "soft", text: copy.milliseconds(milliseconds) }),
    ]),
    make("dl", {}, pairs),
    pre,
  ];
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Fills the samples of the chapters with the shop that the address names, as those of the operations. */
export function fillChapters(): void {
  const shopId = new URLSearchParams(location.search).get("shop");
  if (!shopId) return;
  const url = `${one("main").dataset.origin!}/api/v1/${encodeURIComponent(shopId)}`;
  for (const pre of all(".chapter .card pre")) {
    const code = pre.textContent;
    const filled = code.replace(/^SHOP=.*$/m, () => `SHOP=${url}`).replaceAll("$SHOP", () => url);
    if (filled !== code) show(pre, filled);
  }
}
