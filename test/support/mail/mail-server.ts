import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { after, afterEach, before, beforeEach } from "mocha";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { AppConfig } from "../../../src/app.ts";
import type { MailSettings } from "../../../src/platform/mail/mail-settings.ts";

type Phase = "connect" | "rcpt" | "data";

export interface ReceivedMail extends Email {
  /** The addresses that the server was told, whatever the mail says. */
  envelope: { from: string; to: string[] };
  raw: string;
}

const FROM = { name: "Merchant", address: "merchant@example.com" };

/** The configuration of a server that sends its mails there, once that listens. */
export const mailsThrough = (mailServer: MailServer, others: Partial<AppConfig> = {}): Partial<AppConfig> => ({
  ...others,
  get mail() {
    return mailServer.settings;
  },
});

/** A server that takes mails, or does what servers do. */
export class MailServer {
  received: ReceivedMail[] = [];
  /** The mails that it was shown, taken or not. */
  offered: ReceivedMail[] = [];
  /** The recipients that it was asked to take, taken or not. */
  asked: string[] = [];
  /** The status by which it refuses, from now on. */
  refuses: Partial<Record<Phase, number>> = {};
  /** It answers nothing any more, once it comes to this. */
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

  /** The settings by which the program finds it. */
  get settings(): MailSettings {
    return {
      kind: "smtp",
      server: { host: "127.0.0.1", port: this.#port, secure: false, auth: undefined },
      from: FROM,
    };
  }

  /** The connections that are open now. */
  get connections(): number {
    return this.#server?.connections.size ?? 0;
  }

  /** Listens, where it did before. */
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

  /** Forgets what it was told, and is well. */
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
    // Servers like to repeat whom a mail was for.
    const message = `Not <${this.asked.at(-1) ?? "anybody"}>`;
    done(responseCode === undefined ? null : Object.assign(new Error(message), { responseCode }));
  }
}

/** Registers hooks that run a mail server for the tests of this block, which each test finds well and empty. */
export function useMailServer(options?: SMTPServerOptions): MailServer {
  const server = new MailServer(options);
  before("start a mail server", () => server.start());
  beforeEach(() => server.reset());
  // What hangs would be waited for.
  afterEach(() => server.reset());
  after("stop the mail server", () => server.stop());
  return server;
}
