import { expect } from "chai";
import { highlight } from "../../src/reference/highlight.ts";
import { samples, type SampleRequest } from "../../src/reference/samples.ts";

const request: SampleRequest = {
  method: "POST",
  url: "https://api.shop.example/api/v1/shop_1/products",
  headers: { "Idempotency-Key": "it's 1" },
  body: '{"title":"Mug","isNew":true,"note":"none, true"}',
  needsKey: true,
};

describe("Samples", () => {
  it("have exactly the headers that are given", () => {
    expect(samples.curl(request)).to.include(String.raw`-H 'Idempotency-Key: it'\''s 1'`);
    expect(samples.TypeScript(request)).to.include(`"Idempotency-Key": "it's 1"`);
    expect(samples.Python(request)).to.include(`"Idempotency-Key": "it's 1"`);
    const plain = { ...request, headers: {} };
    for (const print of Object.values(samples)) expect(print(plain)).not.to.include("Idempotency-Key");
  });

  it("send no key where none is needed", () => {
    const open = { ...request, method: "GET", headers: {}, body: undefined, needsKey: false };
    for (const print of Object.values(samples)) expect(print(open)).not.to.match(/Authorization|MERCHANT_API_KEY/);
  });

  it("convert JSON to Python, but not what strings contain", () => {
    expect(samples.Python(request)).to.include('json.dumps({"title":"Mug","isNew":True,"note":"none, true"})');
  });

  it("send a body that is not JSON as it is", () => {
    const broken = { ...request, body: '{"title": ' };
    expect(samples.curl(broken)).to.include(`-d '{"title": '`);
    expect(samples.TypeScript(broken)).to.include(String.raw`body: "{\"title\": ",`);
    expect(samples.Python(broken)).to.include(String.raw`data="{\"title\": ".encode(),`);
  });

  it("keep their text when they are colored", () => {
    for (const print of Object.values(samples)) {
      const parts = highlight(print(request));
      expect(parts.map(({ text }) => text).join("")).to.equal(print(request));
      expect(parts.map(({ kind }) => kind)).to.include("string");
    }
    expect(highlight('{"price": 14.5} // as "sent"')).to.deep.equal([
      { text: "{", kind: undefined },
      { text: '"price"', kind: "name" },
      { text: ": ", kind: undefined },
      { text: "14.5", kind: "number" },
      { text: "} ", kind: undefined },
      { text: '// as "sent"', kind: "comment" },
    ]);
  });
});
