import { glob, readFile } from "node:fs/promises";
import { expect } from "chai";

/** A statement in quotes, and the import of the function that sends one. */
const STATEMENT =
  /["'`]\s*\(?(select|insert into|update \w+ set|delete from|with \w+ as|declare|fetch \d|set local|create (table|database))\s/;
const SENDING = /import \{[^}]*\bquery\b[^}]*\} from "[^"]*queries\/database\.ts"/;
const COMMENT = /^\s*(\/\/|\/?\*).*$/gm;

describe("SQL text", () => {
  const files = new Map<string, string>();

  before(async () => {
    for await (const file of glob("**/*.ts", { cwd: "src" })) files.set(file, await readFile(`src/${file}`, "utf8"));
  });

  const isText = (file: string) => file.endsWith(".sql.ts");

  it("is only in files that end in .sql.ts", () => {
    const others = [...files].filter(([file, source]) => !isText(file) && STATEMENT.test(source.replace(COMMENT, "")));
    expect(others.map(([file]) => file)).to.deep.equal([]);
    const without = [...files].filter(([file, source]) => isText(file) && !/\b(select|insert|update)\b/.test(source));
    expect(without.map(([file]) => file)).to.deep.equal([]);
  });

  it("is only sent by these files", () => {
    const senders = [...files].filter(([, source]) => SENDING.test(source)).map(([file]) => file);
    expect(senders).to.include("jobs/sending/record-attempts.sql.ts");
    expect(senders.filter((file) => !isText(file))).to.deep.equal([]);
  });

  it("starts with its reason, in at most 28 files", () => {
    const texts = [...files].filter(([file]) => isText(file));
    expect(texts.filter(([, source]) => !source.startsWith("// Text, since ")).map(([file]) => file)).to.deep.equal([]);
    expect(texts.length).to.be.at.most(28);
  });
});
