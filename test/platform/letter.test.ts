import { expect } from "chai";
import { renderLetter, type Letter } from "../../src/platform/mail/letter.ts";

const letter: Letter = {
  subject: "Tom & Jerry's",
  paragraphs: ["First <b>bold</b>:", "Last."],
  items: ['"one"', "<img src=x onerror=alert(1)>"],
  link: { label: "Go > on", url: 'https://shop.example/?a=1&b="#token' },
  footer: "Why & wherefore",
};

describe("An email's content", () => {
  it("is rendered as text", () => {
    expect(renderLetter(letter).text).to.equal(
      [
        "First <b>bold</b>:",
        '- "one"\n- <img src=x onerror=alert(1)>',
        'Go > on:\nhttps://shop.example/?a=1&b="#token',
        "Last.",
        "-- \nWhy & wherefore\n",
      ].join("\n\n"),
    );
  });

  it("has a line for each text, whatever the names in it", () => {
    const name = "Good\r\nBcc: x@evil.example\r\n\r\n\u202ePay\u2028now";
    const { subject, text } = renderLetter({
      ...letter,
      subject: name,
      paragraphs: [name],
      items: [name],
      footer: name,
    });
    expect(subject).to.equal("Good Bcc: x@evil.example Pay now");
    expect(text.split("\n\n")).to.have.length(4);
    expect(text).not.to.match(/\r|\nBcc|[\u202e\u2028]/);
  });

  it("is rendered as HTML with escaped text", () => {
    const { html } = renderLetter(letter);
    for (const part of [
      "<title>Tom &amp; Jerry&#39;s</title>",
      "<p>First &lt;b&gt;bold&lt;/b&gt;:</p>",
      "<ul><li>&quot;one&quot;</li><li>&lt;img src=x onerror=alert(1)&gt;</li></ul>",
      '<p><a href="https://shop.example/?a=1&amp;b=&quot;#token">Go &gt; on</a></p>',
      "Why &amp; wherefore",
    ]) {
      expect(html).to.include(part);
    }
    const tags = [...html.matchAll(/<\/?(\w+)/g)].map(([, name]) => name!);
    const known = ["html", "head", "meta", "title", "body", "p", "ul", "li", "a"];
    expect(new Set(tags)).to.deep.equal(new Set(known));
  });

  it("has no empty parts", () => {
    const { text, html } = renderLetter({ subject: "Hello", paragraphs: ["One."], footer: "Two." });
    expect(text).to.equal("One.\n\n-- \nTwo.\n");
    expect(html).not.to.match(/<ul>|<a |<p><\/p>|\n\n/);
  });
});
