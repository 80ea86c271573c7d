import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, afterEach, before, beforeEach } from "mocha";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { AppConfig } from "../../../src/app.ts";
import type { MailSettings } from "../../../src/platform/mail/mail-settings.ts";

type Phase = "connect" | "rcpt" | "data";

export interface ReceivedMail extends Email {
  /** The recipients in the SMTP envelope. */
  envelope: { from: string; to: string[] };
  raw: string;
}

const FROM = { name: "Merchant", address: "merchant@example.com" };

/** The configuration of an API server that sends its mails to this mail server, once it listens. */
export const mailsThrough = (mailServer: MailServer, others: Partial<AppConfig> = {}): Partial<AppConfig> => ({
  ...others,
  get mail() {
    return mailServer.settings;
  },
});

/** A mail server that accepts mails, or fails in a given way. */
export class MailServer {
  received: ReceivedMail[] = [];
  /** All mails sent to it, accepted or not. */
  offered: ReceivedMail[] = [];
  /** All recipients sent to it, accepted or not. */
  asked: string[] = [];
  /** The status with which it refuses from now on. */
  refuses: Partial<Record<Phase, number>> = {};
  /** The command from which on it no longer answers. */
  hangsAt: Phase | undefined;
  readonly #options: SMTPServerOptions;
  #server: SMTPServer | undefined;
  #port = 0;

  constructor(options: SMTPServerOptions = { disabledCommands: ["AUTH", "STARTTLS"] }) {
    this.#options = options;
  }

  get port(): number {
    return this.#port;
  }

  /** The program's settings for this server. */
  get settings(): MailSettings {
    return {
      kind: "smtp",
      server: { host: "127.0.0.1", port: this.#port, secure: false, auth: undefined },
      from: FROM,
    };
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#server?.connections.size ?? 0;
  }

  /** Listens, on the same port as before. */
  async start(): Promise<void> {
    const server = new SMTPServer({
      ...this.#options,
      disableReverseLookup: true,
      closeTimeout: 1,
      onConnect: (_session, done) => this.#reach("connect", done),
      onRcptTo: ({ address }, _session, done) => {
        this.asked.push(address);
        this.#reach("rcpt", done);
      },
      onData: async (stream, { envelope }, done) => {
        const raw = await buffer(stream);
        const from = envelope.mailFrom ? envelope.mailFrom.address : "";
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = { ...(await PostalMime.parse(raw)), envelope: { from, to }, raw: raw.toString() };
        this.offered.push(mail);
        this.#reach("data", (error) => {
          if (!error) this.received.push(mail);
          done(error);
        });
      },
    });
    server.on("error", () => undefined);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise<void>((resolve) => server.close(resolve));
  }

  /** Clears its mails and its failures. */
  reset(): void {
    Object.assign(this, { received: [], offered: [], asked: [], refuses: {}, hangsAt: undefined });
  }

  /** The mails to an address. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ envelope }) => envelope.to.includes(address));
  }

  #reach(phase: Phase, done: (error?: Error | null) => unknown): void {
    if (this.hangsAt === phase) return;
    const responseCode = this.refuses[phase];
    // Servers often repeat the recipient.
    const message = `Not <${this.asked.at(-1) ?? "anybody"}>`;
    done(responseCode === undefined ? null : Object.assign(new Error(message), { responseCode }));
  }
}

/** Registers hooks that run a mail server for the tests of this block, empty and working for each test. */
export function useMailServer(options?: SMTPServerOptions): MailServer {
  const server = new MailServer(options);
  before("start a mail server", () => server.start());
  beforeEach(() => server.reset());
  // Otherwise the hook would wait for hanging connections.
  afterEach(() => server.reset());
  after("stop the mail server", () => server.stop());
  return server;
}
