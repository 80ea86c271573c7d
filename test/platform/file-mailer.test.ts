import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import PostalMime from "postal-mime";
import { createFileMailer } from "../../src/platform/mail/mailer.ts";
import { makeDirectory } from "../support/directory.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";

describe("Emails in files", () => {
  it("are sorted by time, readable only by their owner, and named in the log", async () => {
    const { logger, lines } = collectLines();
    const directory = join(await makeDirectory(), "made", "mail");
    const mailer = createFileMailer(directory, { name: "Merchant", address: "merchant@example.com" }, logger);
    for (const subject of ["First", "Second"]) {
      await mailer.send({ to: "ada@example.com", subject, text: "Text", html: "<p>Text</p>" });
    }
    const files = (await readdir(directory)).toSorted().map((name) => join(directory, name));
    expect(lines.map(({ file }) => file)).to.deep.equal(files);
    const mails = await Promise.all(files.map(async (file) => PostalMime.parse(await readFile(file))));
    expect(mails.map(({ subject }) => subject)).to.deep.equal(["First", "Second"]);
    expect(mails[0]).to.deep.include({
      from: { name: "Merchant", address: "merchant@example.com" },
      to: [{ name: "", address: "ada@example.com" }],
    });
    for (const file of files) {
      expect(file).to.match(/\.eml$/);
      expect((await stat(file)).mode & 0o077).to.equal(0);
    }
    expect(JSON.stringify(lines)).not.to.include("ada@");
  });
});
