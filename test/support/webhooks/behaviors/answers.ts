import type { Duplex } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { answer, OK, sends, sendsAndCloses, floods, succeeds, refuses, type Behavior } from "./behavior.ts";

/** Answers that differ only in their status. */
const statuses = Object.fromEntries(
  [
    ...[200, 201, 202, 203, 204, 205, 206, 226, 299].map((status) => [status, succeeds(status)]),
    ...[300, 303, 304, 400, 401, 403, 404, 408, 410, 413, 418, 429, 451, 500, 501, 502, 503, 504, 599, 999].map(
      (status) => [status, refuses(status)],
    ),
  ].map(([status, outcome]) => [
    `answers ${status as number}`,
    { ...(outcome as object), ...sends(answer(status as number)) },
  ]),
);

const redirects = Object.fromEntries(
  [
    [301, "http://127.0.0.1:1/"],
    [302, "http://169.254.169.254/latest/meta-data/"],
    [307, "/"],
    [308, "https://[::1]/"],
    [302, "file:///etc/passwd"],
  ].map(([status, location]) => [
    `redirects with ${status} to ${location}`,
    { ...refuses(status as number), ...sends(answer(status as number, [`Location: ${location}`])) },
  ]),
);

const retryAfters = Object.fromEntries(
  (["120", "Fri, 31 Dec 2027 23:59:59 GMT", "soon", "-1", "99999999999999999999", "1.5"] as const).map((retryAfter) => [
    `asks to try again after ${retryAfter}`,
    { ...refuses(503), ...sends(answer(503, [`Retry-After: ${retryAfter}`])), retryAfter },
  ]),
);

const well = {
  "asks to try again twice": {
    ...refuses(429),
    ...sends(answer(429, ["Retry-After: 7", "Retry-After: 9"])),
    retryAfter: "7",
  },
  "sets cookies": {
    ...succeeds(200),
    ...sends(answer(200, ["Set-Cookie: a=1", "Set-Cookie: b=2; Secure"])),
    body: "ok",
    headers: [
      ["content-length", "2"],
      ["set-cookie", "***"],
      ["set-cookie", "***"],
    ],
  },
  "answers in chunks, with trailers": {
    ...succeeds(200),
    ...sends("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nChecksum: 1\r\n\r\n"),
    body: "ok",
  },
  "answers byte by byte, in time": {
    ...succeeds(200),
    requested: async (socket: Duplex) => {
      for (const byte of OK) {
        socket.write(byte);
        await wait(5);
      }
    },
    body: "ok",
  },
  "answers in HTTP/1.0, until it closes": {
    ...succeeds(200),
    ...sendsAndCloses("HTTP/1.0 200 OK\r\n\r\nok"),
    body: "ok",
  },
  "closes after its answer": { ...succeeds(200), ...sendsAndCloses(answer(200, ["Connection: close"])), body: "ok" },
  "sends early hints first": { ...succeeds(200), ...sends("HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n", OK) },
  "says that it is processing first": { ...succeeds(200), ...sends("HTTP/1.1 102 Processing\r\n\r\n", OK) },
  "answers after 9 s": {
    ...succeeds(200),
    requested: async (socket: Duplex) => {
      await wait(9_000);
      socket.write(OK);
    },
    atLeast: 9_000,
  },
  "answers after 9 s with a refusal": {
    ...refuses(500),
    requested: async (socket: Duplex) => {
      await wait(9_000);
      socket.write(answer(500));
    },
    atLeast: 9_000,
  },
  "answers before it has read the request": {
    ...succeeds(200),
    connected: (socket: Duplex) => socket.resume().write(OK),
  },
} satisfies Record<string, Behavior>;

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

/** Interim answers before the final one (RFC 9110, section 15.2). */
const interim = {
  "continues unasked": { ...succeeds(200), ...sends(CONTINUE, OK), body: "ok" },
  "continues unasked, in one piece": { ...succeeds(200), ...sends(CONTINUE + OK), body: "ok" },
  "continues without a reason, with headers": {
    ...succeeds(200),
    ...sends("HTTP/1.1 100\r\nA: b\r\n\r\n", OK),
    headers: [["content-length", "2"]],
  },
  "continues, and refuses": { ...refuses(503), ...sends(CONTINUE, answer(503)), body: "ok" },
  "continues before it has read the request": {
    ...succeeds(200),
    connected: (socket: Duplex) => socket.resume().write(CONTINUE + OK),
  },
  "continues under TLS": { ...succeeds(200), certificate: "valid", ...sends(CONTINUE, OK), body: "ok" },
  "speaks of 100 Continue in its body": { ...succeeds(200), ...sends(answer(200, [], CONTINUE)), body: CONTINUE },
} satisfies Record<string, Behavior>;

const headers = {
  "has no headers": { ...succeeds(200), ...sendsAndCloses("HTTP/1.1 200 OK\r\n\r\nok"), headers: [] },
  "has headers of 1,000 characters": {
    ...succeeds(200),
    ...sends(
      answer(
        200,
        Array.from({ length: 12 }, (_, index) => `A${index}: ${"b".repeat(1_000)}`),
      ),
    ),
    headers: [
      ["content-length", "2"],
      ...Array.from({ length: 8 }, (_, index): [string, string] => [`a${index}`, "b".repeat(1_000)]),
    ],
  },
  "has a header of 1,500 characters": {
    ...succeeds(204),
    ...sends(answer(204, [`A: ${"b".repeat(1_500)}`, "C: d"])),
    headers: [
      ["a", "b".repeat(1_024)],
      ["c", "d"],
    ],
  },
  "has 100 headers": {
    ...succeeds(204),
    ...sends(answer(204, Array(100).fill("A: b"))),
    headers: Array.from({ length: 50 }, () => ["a", "b"]),
  },
  "has headers that are UTF-8, and that are not": {
    ...succeeds(204),
    ...sends("HTTP/1.1 204 No\r\nA: m\u{fc}g\r\nB: ", Buffer.from([0x61, 0xff, 0x62]), "\r\n\r\n"),
    headers: [
      ["a", "m\u{fc}g"],
      ["b", "a\u{fffd}b"],
    ],
  },
  "has headers of odd names": {
    ...succeeds(204),
    ...sends(answer(204, ["__proto__: a", "constructor: b", "constructor: c", "X-Api-Key: d"])),
    headers: [
      ["__proto__", "a"],
      ["constructor", "b"],
      ["constructor", "c"],
      ["x-api-key", "***"],
    ],
  },
} satisfies Record<string, Behavior>;

const bodies = {
  "sends a body of 16 KiB": {
    ...succeeds(200),
    ...sends(answer(200, [], "a".repeat(16_384))),
    body: "a".repeat(4_096),
  },
  "sends a body of 1 GB": {
    ...succeeds(200),
    ...floods("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n", Buffer.alloc(65_536, "a")),
    body: "a".repeat(4_096),
  },
  "sends a body without end": {
    ...succeeds(200),
    ...floods("HTTP/1.1 200 OK\r\n\r\n", Buffer.alloc(65_536, "a")),
    body: "a".repeat(4_096),
  },
  "refuses with a body without end": {
    ...refuses(500),
    ...floods("HTTP/1.1 500 No\r\n\r\n", Buffer.alloc(65_536, "a")),
    body: "a".repeat(4_096),
  },
  "sends a gzip bomb": {
    ...succeeds(200),
    requested: (socket: Duplex) => {
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
  },
  "sends NULs": { ...succeeds(200), ...sends(answer(200, [], "a\0b\0")), body: "ab" },
  "sends what is not UTF-8": {
    ...succeeds(200),
    ...sends("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", Buffer.from([0x61, 0xff, 0x62])),
    body: "a\u{fffd}b",
  },
  "sends 4 KiB of what is not UTF-8": {
    ...succeeds(200),
    ...sends("HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n", Buffer.alloc(4_096, 0xff)),
    body: "\u{fffd}".repeat(1_365),
  },
  "sends a character across the 4 KiB": {
    ...succeeds(200),
    ...sends(answer(200, [], `${"a".repeat(4_095)}é${"b".repeat(100)}`)),
    body: "a".repeat(4_095),
  },
} satisfies Record<string, Behavior>;

export const answers: Record<string, Behavior> = {
  ...statuses,
  ...redirects,
  ...retryAfters,
  ...well,
  ...interim,
  ...headers,
  ...bodies,
};
