import { expect } from "chai";
import { isGuessable } from "../../../src/core/staff/accounts/password.ts";

const EMAIL = "ada.lovelace@harbour-goods.example";

describe("Guessable passwords", () => {
  for (const [kind, passwords] of Object.entries({
    "one character, again and again": ["aaaaaaaaaaaa", "ñ".repeat(40), "0".repeat(256)],
    "rows of digits, letters and keys": [
      "123456789012",
      "987654321098",
      "abcdefghijkl",
      "qwertyuiop[]",
      "1qaz2wsx3edc",
    ],
    "common passwords twice, or one after the other": ["passwordpassword", "monkeymonkey1", "iloveyouforever"],
    "common passwords with a year or a sign": ["Password2024!", "password1234", "Administrator1"],
    "common passwords in whatever case and dress": [
      "PASSWORDPASSWORD",
      "P@ssw0rd1234",
      "p@$$w0rd12345",
      "ｐａｓｓｗｏｒｄ１２３４",
    ],
    "a short text again and again": ["abcabcabcabc", "xK9xK9xK9xK9"],
    "the account's own address and its parts": [
      EMAIL,
      "ada.lovelace",
      "Ada.Lovelace1",
      "harbour-goods1",
      "harbour-goods.example",
    ],
    "the name of the service": ["merchantapi1", "Merchant-API!", "merchantmerchant"],
  })) {
    it(`include ${kind}`, async () => {
      for (const password of passwords) expect(await isGuessable(password, EMAIL), password).to.equal(true);
    });
  }

  it("exclude several words and generated passwords", async () => {
    for (const password of [
      "correct horse battery staple",
      "oceanlampriver",
      "the next long password",
      "hf83-kd72-lq91",
      "7hX_pq2-Lm0Z",
      "голубой вагон бежит",
    ]) {
      expect(await isGuessable(password, EMAIL), password).to.equal(false);
    }
  });

  it("depend on the account's own address", async () => {
    expect(await isGuessable("ada.lovelace", "bob@example.com")).to.equal(false);
  });
});
