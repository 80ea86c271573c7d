import tls from "node:tls";
import { expect } from "chai";
import { readableAddress } from "../../src/platform/mail/email-address.ts";
import { createSmtpMailer, type MailError, type Mail } from "../../src/platform/mail/mailer.ts";
import type { MailSettings, SmtpServer } from "../../src/platform/mail/mail-settings.ts";
import { createAuthority } from "../support/webhooks/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { useMailServer, type MailServer } from "../support/mail/mail-server.ts";

const FROM = { name: "Merchant", address: "merchant@example.com" };
const ADA = "ada@example.com";
const mail: Mail = { to: ADA, subject: "Hello", text: "Dear Ada,\n", html: "<p>Dear Ada,</p>\n" };

const serverOf = (settings: MailSettings) => (settings as { server: SmtpServer }).server;

describe("Emails by SMTP", () => {
  const server = useMailServer();
  const send = (more: Partial<Mail> = {}, deadline?: number) =>
    createSmtpMailer(serverOf(server.settings), FROM, deadline).send({ ...mail, ...more });

  const failureOf = async (sending: Promise<string>): Promise<MailError> => {
    const error = await sending.then(
      () => undefined,
      (reason: MailError) => reason,
    );
    expect(error).to.be.an.instanceOf(Error);
    return error!;
  };

  it("have text, HTML, and a header against auto-replies", async () => {
    await send();
    const [received] = server.received;
    expect(received).to.deep.include({
      subject: "Hello",
      from: { name: "Merchant", address: "merchant@example.com" },
      to: [{ name: "", address: ADA }],
      envelope: { from: "merchant@example.com", to: [ADA] },
    });
    expect([received!.text!.trim(), received!.html!.trim()]).to.deep.equal(["Dear Ada,", "<p>Dear Ada,</p>"]);
    expect(received!.headers.find(({ key }) => key === "auto-submitted")?.value).to.equal("auto-generated");
  });

  for (const [what, name] of [
    ["line breaks", "Shop\r\nBcc: victim@example.com\r\n\r\nBody"],
    ["a bare carriage return", "Shop\rBcc: victim@example.com"],
    ["a line separator", "Shop\u2028Bcc: victim@example.com"],
    ["quotes and an address", 'Shop" <victim@example.com>, "'],
    ["an encoded word", "=?utf-8?Q?Shop=0D=0ABcc:_victim=40example.com?="],
    ["commas and brackets", "Shop, <victim@example.com>, (x)"],
  ] as const) {
    it(`treat ${what} in a name and a subject as text`, async () => {
      await send({ fromName: name, subject: name });
      const [received] = server.received;
      const shown = name.replace(/[\r\n\u2028]+/g, " ").replace("=?", "= ?");
      expect(received!.from).to.deep.equal({ name: shown, address: "merchant@example.com" });
      expect(received!.subject).to.equal(shown);
      expect(received).to.deep.include({ to: [{ name: "", address: ADA }] });
      expect(received).not.to.have.any.keys("cc", "bcc");
      expect(received!.envelope.to).to.deep.equal([ADA]);
      expect(received!.text!.trim()).to.equal("Dear Ada,");
    });
  }

  for (const to of [
    "a&b@example.com",
    "x!#$%*=?^{}~/@example.com",
    "o'neil|`_+-@example.com",
    "info@xn--mnchen-3ya.de",
    "info@xn--e1afmkfd.xn--p1ai",
    "=?utf-8?q?x=40evil.example?=@example.com",
  ]) {
    it(`go to ${to} only`, async () => {
      await send({ to });
      const [received] = server.received;
      // The server of the test reads Punycode.
      expect(received!.envelope.to).to.deep.equal([readableAddress(to)]);
      expect(received!.to!.map(({ address }) => address)).to.deep.equal([to]);
      expect(received).not.to.have.any.keys("cc", "bcc");
    });
  }

  it("have names in all languages, up to a hundred characters", async () => {
    await send({ fromName: "Käthes Blumenhäusl 花屋 🌷" });
    await send({ fromName: "x".repeat(255) });
    expect(server.received.map(({ from }) => from!.name)).to.deep.equal([
      "Käthes Blumenhäusl 花屋 🌷",
      "x".repeat(100),
    ]);
  });

  for (const [what, refuses, isPermanent] of [
    ["does not know the recipient", { rcpt: 550 }, true],
    ["does not take the content", { data: 554 }, true],
    ["asks to come later", { rcpt: 451 }, false],
    ["is too busy for the content", { data: 452 }, false],
    ["serves nobody", { connect: 554 }, false],
  ] as const) {
    it(`report, when the server ${what}, whether it is permanent, and not the recipient`, async () => {
      server.refuses = refuses;
      const error = await failureOf(send());
      expect(error.isPermanent).to.equal(isPermanent);
      expect(error.message).to.include(String(Object.values(refuses)[0]));
      for (const text of [error.message, error.stack!]) expect(text).not.to.include("ada");
      expect(error.cause).to.equal(undefined);
    });
  }

  for (const phase of ["connect", "rcpt", "data"] as const) {
    it(`end when the server hangs at ${phase}, and close the connection`, async () => {
      server.hangsAt = phase;
      expect((await failureOf(send({}, 300))).isPermanent).to.equal(false);
      await eventually(
        () => server.connections,
        (count) => count === 0,
      );
      server.hangsAt = undefined;
      await send();
      expect(server.received).to.have.length(1);
    });
  }

  describe("with a password", () => {
    const authority = createAuthority();
    const passwords: string[] = [];
    const onAuth: ConstructorParameters<typeof MailServer>[0] = {
      onAuth: ({ username, password }, _session, done) => {
        passwords.push(password ?? "");
        if (username === "merchant" && password === "right") return done(null, { user: username });
        return done(Object.assign(new Error("Wrong password"), { responseCode: 535 }));
      },
    };
    const plain = useMailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true, ...onAuth });
    const upgrading = useMailServer({ ...authority.issue("localhost"), ...onAuth });
    const secure = useMailServer({ ...authority.issue("localhost"), secure: true, ...onAuth });
    beforeEach(() => passwords.splice(0));

    const sendTo = ({ settings }: MailServer, more: Partial<SmtpServer> = {}) => {
      const to = { ...serverOf(settings), host: "localhost", auth: { user: "merchant", pass: "right" }, ...more };
      return createSmtpMailer(to, FROM).send(mail);
    };

    it("do not send it without TLS", async () => {
      await failureOf(sendTo(plain));
      expect([passwords, plain.received]).to.deep.equal([[], []]);
    });

    it("do not send it to an untrusted server", async () => {
      await failureOf(sendTo(upgrading));
      await failureOf(sendTo(secure, { secure: true }));
      expect([passwords, upgrading.received, secure.received]).to.deep.equal([[], [], []]);
    });

    describe("and a trusted certificate", () => {
      const known = tls.getCACertificates();
      before(() => tls.setDefaultCACertificates([...known, authority.cert]));
      after(() => tls.setDefaultCACertificates(known));

      it("log in with implicit TLS or STARTTLS", async () => {
        await sendTo(upgrading);
        await sendTo(secure, { secure: true });
        expect([upgrading.received.length, secure.received.length]).to.deep.equal([1, 1]);
        expect(passwords).to.deep.equal(["right", "right"]);
      });

      it("fail temporarily with a wrong password, and do not log it", async () => {
        const error = await failureOf(sendTo(secure, { secure: true, auth: { user: "merchant", pass: "hunter2" } }));
        expect(error.isPermanent).to.equal(false);
        expect(error.stack).not.to.include("hunter2");
      });
    });
  });
});
