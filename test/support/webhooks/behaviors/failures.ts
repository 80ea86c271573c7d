import type { Duplex } from "node:stream";
import { ErrorClass } from "../../../../src/core/model/webhooks/error-class.ts";
import {
  answer,
  OK,
  sends,
  sendsAndCloses,
  sendsAndBreaks,
  drips,
  floods,
  reset,
  succeeds,
  refuses,
  fails,
  timesOut,
  WHOLE_TIME,
  type Behavior,
} from "./behavior.ts";

const { TIMEOUT, CONNECTION, TLS, PROTOCOL } = ErrorClass;
const MAX_OF_ANYTHING = 256 * 1024;

const slow = {
  "never answers": { ...timesOut(), requested: () => undefined },
  "reads nothing": { ...timesOut(), connected: (socket: Duplex) => socket.pause() },
  "stops in the status line": { ...timesOut(), ...sends("HTTP/1.1 20") },
  "stops in its headers": { ...timesOut(), ...sends("HTTP/1.1 200 OK\r\nContent-Type: te") },
  "stops after its headers": { ...timesOut(200), ...sends("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), body: "" },
  "stops in its body": { ...timesOut(200), ...sends("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"), body: "ok" },
  "drips headers": { ...timesOut(), ...drips("HTTP/1.1 200 OK\r\n", "A: b\r\n", 100) },
  "drips a body": { ...timesOut(200), ...drips("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n", "a", 100) },
  "drips chunks": {
    ...timesOut(200),
    ...drips("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n", 100),
  },
  "drips trailers": {
    ...timesOut(200),
    ...drips("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "A: b\r\n", 100),
  },
  "refuses and drips a body": {
    ...refuses(503),
    ...drips("HTTP/1.1 503 No\r\nContent-Length: 9999\r\n\r\n", "a", 100),
    atLeast: WHOLE_TIME,
  },
} satisfies Record<string, Behavior>;

const breaking = {
  "resets at once": { ...fails(CONNECTION), connected: reset },
  "closes at once": { ...fails(CONNECTION), connected: (socket: Duplex) => socket.destroy() },
  "resets after the request": { ...fails(CONNECTION), requested: reset },
  "closes without an answer": { ...fails(CONNECTION), requested: (socket: Duplex) => socket.destroy() },
  "closes its half without an answer": { ...fails(CONNECTION), ...sendsAndCloses("") },
  "closes in its headers": { ...fails(CONNECTION), ...sendsAndCloses("HTTP/1.1 200 OK\r\nA: ") },
  "resets after its headers": {
    ...fails(CONNECTION, 200),
    ...sendsAndBreaks("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"),
  },
  "resets in its body": {
    ...fails(CONNECTION, 200),
    ...sendsAndBreaks("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"),
  },
  "closes before the end of its body": {
    ...fails(CONNECTION, 200),
    ...sendsAndCloses("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"),
  },
  "closes before the last chunk": {
    ...fails(CONNECTION, 200),
    ...sendsAndCloses("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"),
  },
  "refuses with a body that breaks": {
    ...refuses(410),
    ...sendsAndBreaks("HTTP/1.1 410 Gone\r\nContent-Length: 9\r\n\r\nok"),
    body: "ok",
  },
} satisfies Record<string, Behavior>;

const nonsense = {
  "answers garbage": { ...fails(PROTOCOL), ...sends(Buffer.from("\u{1}\u{2}garbage\r\n\r\n")) },
  "answers in HTTP/0.9": { ...fails(PROTOCOL), ...sendsAndCloses("<html>ok</html>") },
  "greets as SSH does": { ...fails(PROTOCOL), connected: (socket: Duplex) => socket.write("SSH-2.0-OpenSSH_9.9\r\n") },
  "has a NUL in a header": { ...fails(PROTOCOL), ...sends("HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n") },
  "has headers of 100 KB": { ...fails(PROTOCOL), ...sends(answer(200, [`A: ${"b".repeat(100_000)}`])) },
  "has headers without end": {
    ...fails(PROTOCOL),
    ...floods("HTTP/1.1 200 OK\r\n", Buffer.from("A: b\r\n".repeat(10_000))),
  },
  "has trailers without end": {
    ...fails(PROTOCOL, 200),
    ...floods("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", Buffer.from("A: b\r\n".repeat(10_000))),
  },
  "has two lengths": {
    ...fails(PROTOCOL),
    ...sends("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"),
  },
  "has a negative length": { ...fails(PROTOCOL), ...sends("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n") },
  "has a length and chunks": {
    ...fails(PROTOCOL),
    ...sends("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"),
  },
  "has a chunk without a size": {
    ...fails(PROTOCOL, 200),
    ...sends("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n"),
  },
  "extends a chunk without end": {
    mostRead: MAX_OF_ANYTHING,
    ...fails(PROTOCOL, 200),
    ...floods("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;", Buffer.alloc(65_536, "a")),
  },
  "switches protocols": {
    ...fails(PROTOCOL),
    ...sends("HTTP/1.1 101 Switching\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n"),
  },
  "sends early hints without end": {
    mostRead: MAX_OF_ANYTHING,
    ...fails(PROTOCOL),
    ...floods("", Buffer.from("HTTP/1.1 103 Hints\r\nA: b\r\n\r\n".repeat(100))),
  },
  "continues without end": {
    mostRead: MAX_OF_ANYTHING,
    ...fails(PROTOCOL),
    ...floods("", Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(100))),
  },
  "continues, and closes": { ...fails(CONNECTION), ...sendsAndCloses("HTTP/1.1 100 Continue\r\n\r\n") },
  "continues with headers of 100 KB": {
    ...fails(PROTOCOL),
    ...sends(`HTTP/1.1 100 Continue\r\nA: ${"b".repeat(100_000)}\r\n\r\n`, OK),
  },
  "speaks TLS where we do not": { ...fails(CONNECTION), certificate: "valid", scheme: "http" },
} satisfies Record<string, Behavior>;

const secure = {
  "speaks TLS": { ...succeeds(200), certificate: "valid", ...sends(OK), body: "ok" },
  "has a certificate that it signed itself": { ...fails(TLS), certificate: "self-signed" },
  "has a certificate of an authority that nobody knows": { ...fails(TLS), certificate: "of a stranger" },
  "has a certificate that expired": { ...fails(TLS), certificate: "expired" },
  "has a certificate for another host": { ...fails(TLS), certificate: "of another host" },
  "does not speak TLS where we do": { ...fails(TLS), scheme: "https", connected: (socket) => socket.end(answer(400)) },
  "closes in the handshake": {
    ...fails(TLS),
    scheme: "https",
    connected: (socket) => socket.once("data", () => socket.destroy()),
  },
  "hangs in the handshake": { ...fails(TIMEOUT), scheme: "https", connected: () => undefined, atLeast: 4_900 },
  "resets in its body, under TLS": {
    ...fails(CONNECTION, 200),
    certificate: "valid",
    ...sendsAndBreaks("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"),
  },
} satisfies Record<string, Behavior>;

export const failures: Record<string, Behavior> = { ...slow, ...breaking, ...nonsense, ...secure };
