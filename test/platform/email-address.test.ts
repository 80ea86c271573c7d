import { expect } from "chai";
import { addressKey, emailAddress, readableAddress } from "../../src/platform/mail/email-address.ts";

const stored = (text: string) => emailAddress.safeParse(text).data;
const refusal = (text: string) => emailAddress.safeParse(text).error?.issues[0]?.message;

describe("Email addresses", () => {
  for (const address of [
    "ada@example.com",
    "Ada.Example@Example.com",
    "a&b@example.com",
    "x!#$%*=?^{}~/@example.com",
    "o'neil+shop_1-2`|@example.co.uk",
    "-@a.example",
    "info@xn--e1afmkfd.xn--p1ai",
    `ada@${"d".repeat(63)}.example`,
  ]) {
    it(`stay unchanged: ${address}`, () => expect(stored(address)).to.equal(address));
  }

  for (const [text, address] of [
    [" ada@example.com\r\n", "ada@example.com"],
    ["\u00a0ada@example.com\ufeff", "ada@example.com"],
    ["\u2068\u200bada@example.com\u00ad\u2069\u200d", "ada@example.com"],
    ["\u200cada\u200b@\u2066example.com", "ada@example.com"],
    ["ａｄａ１＠example．com", "ada1@example.com"],
    ["info@نامه\u200cای.example", "info@xn--mgba3gch31f060k.example"],
    ["info@münchen.de", "info@xn--mnchen-3ya.de"],
    ["INFO@MÜNCHEN.DE", "INFO@xn--mnchen-3ya.de"],
    ["info@mu\u0308nchen.de", "info@xn--mnchen-3ya.de"],
    ["info@straße.example", "info@xn--strae-oqa.example"],
    ["info@россия.рф", "info@xn--h1alffa9f.xn--p1ai"],
    ["info@例え。jp", "info@xn--r8jz45g.jp"],
    ["info@exam\u200bple.com", "info@example.com"],
  ] as const) {
    it(`are converted to ASCII: ${JSON.stringify(text)}`, () => expect(stored(text)).to.equal(address));
  }

  for (const text of [
    "",
    " ",
    "ada",
    "@example.com",
    "ada@",
    "ada@example",
    "a b@example.com",
    "ada@exam ple.com",
    "ada@example.com.",
    "ada@example..com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@exam_ple.com",
    "ada@192.0.2.1",
    "ada@[192.0.2.1]",
    `ada@${"d".repeat(64)}.example`,
    ".ada@example.com",
    "ada.@example.com",
    "a..da@example.com",
    '"ada"@example.com',
    "a@da@example.com",
    "ada@example.com, eve@example.com",
    "Ada <ada@example.com>",
    "ada@example.com\r\nBcc: eve@example.com",
    "a\0da@example.com",
    "a\ud800da@example.com",
    // Node's own reading of these domains would stop at the slash, or leave out the line break.
    "ada@münchen.de/x",
    "ada@mün\nchen.de",
    "ada@mün／chen.de",
    "ada@\ud800.example",
  ]) {
    it(`exclude ${JSON.stringify(text)}`, () => expect(refusal(text)).to.match(/^Must (be an|have only ASCII)/));
  }

  it("report which part must be ASCII", () => {
    expect(refusal("jörg@example.com")).to.equal("Must have only ASCII characters before the @");
  });

  it("have at most 254 characters in ASCII", () => {
    const domain = `${"d".repeat(60)}.`.repeat(3) + "example";
    expect(stored(` ${"a".repeat(253 - domain.length)}@${domain} `)).to.have.length(254);
    expect(refusal(`${"a".repeat(254 - domain.length)}@${domain}`)).to.equal("Must have at most 254 characters");
    expect(refusal(`${"a".repeat(240)}@münchen.de`)).to.equal("Must have at most 254 characters");
  });

  it("have at most 64 characters before the @", () => {
    expect(stored(`${"a".repeat(64)}@example.com`)).to.have.length(76);
    expect(refusal(`${"a".repeat(65)}@example.com`)).to.equal("Must have at most 64 characters before the @");
  });

  it("are equal in any case and spelling", () => {
    for (const text of [
      "info@xn--mnchen-3ya.de",
      " INFO@XN--MNCHEN-3YA.DE",
      "info@MÜNCHEN.de ",
      "\u200bｉnfo＠münchen.de",
    ]) {
      expect(addressKey(text), text).to.equal("info@xn--mnchen-3ya.de");
    }
  });

  it("differ from similar text", () => {
    // JavaScript's small letter of the Kelvin sign is k.
    for (const text of ["\u212aay@example.com", "kay @example.com", "ⓚay@example.com"]) {
      expect(addressKey(text), text).not.to.equal("kay@example.com");
    }
  });

  it("are displayed in the script of their domain", () => {
    expect(readableAddress("info@xn--mnchen-3ya.de")).to.equal("info@münchen.de");
    expect(readableAddress("a&b@example.com")).to.equal("a&b@example.com");
  });
});
