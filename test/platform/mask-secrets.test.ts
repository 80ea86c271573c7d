import { expect } from "chai";
import { generateSecret } from "../../src/core/credentials/secret.ts";
import { newId } from "../../src/core/model/ids.ts";
import { generateToken } from "../../src/core/staff/accounts/token.ts";
import { maskSecrets } from "../../src/platform/mask-secrets.ts";

describe("maskSecrets", () => {
  const signing = `whsec_${Buffer.alloc(32, 251).toString("base64")}`;
  const secrets = () => [generateSecret("sk_live_"), generateSecret("svt_"), signing, generateToken()];
  const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");
  const again = (text: string) => text.replaceAll("%", "%25");

  const forms: Record<string, (secret: string) => string> = {
    "as they are": (secret) => secret,
    "as encodeURIComponent writes them": encodeURIComponent,
    "with each character encoded": percent,
    "with each character encoded, in capitals": (secret) => percent(secret).toUpperCase(),
    "encoded several times": (secret) => again(again(again(percent(secret)))),
    "with an underscore encoded": (secret) => secret.replace("_", "%5f"),
  };
  for (const [how, write] of Object.entries(forms)) {
    it(`masks secrets in a path ${how}`, () => {
      for (const secret of secrets())
        expect(maskSecrets(`/products/${write(secret)}`), secret).to.equal("/products/***");
    });
  }

  it("masks keys that are cut, spaced or prefixed", () => {
    const key = generateSecret("sk_live_");
    const halves = `${key.slice(0, 20)}%20${key.slice(20)}`;
    for (const text of [key.slice(0, 12), `${key}x`, halves, `${key}-${key}`]) {
      expect(maskSecrets(`/products/${text}/more`)).to.equal("/products/***/more");
    }
    expect(maskSecrets(`/products/Bearer%20${key}`)).to.equal("/products/Bearer ***");
  });

  it("masks values in JSON, which stays valid", () => {
    for (const secret of secrets()) {
      for (const name of [secret, `${secret}\n`, `${secret}"`]) {
        const body = JSON.stringify({
          error: "Validation error",
          details: [{ path: name, message: "Is not recognized" }],
        });
        const masked = maskSecrets(body);
        expect(masked).not.to.include(secret);
        expect(JSON.parse(masked).details[0].message).to.equal("Is not recognized");
      }
    }
  });

  it("preserves other text", () => {
    const paths = ["/", "/products", `/products/${newId("prod")}`, "/products/%2570%2F%00", "/%E0%A4%A", "/a%20b%25"];
    const assets = ["/admin/assets/index-BVtk3q_x.js", "/docs/", `/${"a".repeat(42)}`, `/${"a".repeat(44)}`];
    for (const path of [...paths, ...assets, "/skylive_x", "/sk_test_x"]) expect(maskSecrets(path)).to.equal(path);
  });
});
