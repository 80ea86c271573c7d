import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after, before } from "mocha";

const TYPES = { 1: "A", 28: "AAAA" } as const;

interface Names {
  /** The addresses of a name. Null for no answer at all. Missing names do not exist. */
  [name: string]: { A: number[][] | null; AAAA: number[][] | null };
}

export interface NameServer {
  /** Such as `127.0.0.1:41234`. */
  address: string;
  /** Such as `A receiver.example`. */
  asked: string[];
  /** True to answer nothing. */
  isSilent: boolean;
}

/** Registers hooks that run a DNS server on this machine (RFC 1035, section 4). */
export function useNameServer(names: Names): NameServer {
  const socket = createSocket("udp4");
  const server: NameServer = { address: "", asked: [], isSilent: false };
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES];
    server.asked.push(`${type} ${name}`);
    const answers = names[name] ? names[name][type] : [];
    if (answers && !server.isSilent) socket.send(answer(query, end, answers, name in names), port, address);
  });
  before("start a name server", async () => {
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    server.address = `127.0.0.1:${socket.address().port}`;
  });
  after("stop the name server", () => void socket.close());
  return server;
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at]! > 0) {
    labels.push(query.toString("ascii", at + 1, at + 1 + query[at]!));
    at += 1 + query[at]!;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}

function answer(query: Buffer, end: number, addresses: number[][], exists: boolean): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const type = query.subarray(end, end + 2);
  const records = addresses.map((bytes) =>
    Buffer.concat([Buffer.from([0xc0, 12]), type, Buffer.from([0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes])]),
  );
  return Buffer.concat([header, query.subarray(12, end + 4), ...records]);
}
