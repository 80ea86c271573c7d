import { expect } from "chai";
import { mailedActions, type AccountChange } from "../../src/core/notifications/mail-jobs.sql.ts";
import { Role } from "../../src/core/model/staff/staff.entity.ts";
import { accountLetter, resetLetter, invitationLetter } from "../../src/jobs/mail/letters.ts";
import { renderLetter, type Letter } from "../../src/platform/mail/letter.ts";

const baseUrl = "https://api.shop.example";
const token = "x".repeat(43);
const at = new Date("2026-11-26T08:00:00Z");
const changes: AccountChange[] = ["PASSWORD_CHANGED", ...mailedActions];

const letters: Record<string, [letter: Letter, link: string]> = {
  "an invitation": [
    invitationLetter({ role: Role.CLERK, expiresAt: at }, { shopName: "Harbour Goods", token, baseUrl }),
    `/admin/join#${token}`,
  ],
  "a new password": [resetLetter(token, baseUrl), `/admin/reset#${token}`],
  ...Object.fromEntries(
    changes.map((change) => [change, [accountLetter(change, at, baseUrl), "/admin/reset"] as [Letter, string]]),
  ),
};

describe("The email of", () => {
  for (const [name, [letter, link]] of Object.entries(letters)) {
    it(`${name} has one link, and no technical terms`, () => {
      const { text, html } = renderLetter(letter);
      expect(text.match(/https?:\S+/g)).to.deep.equal([`${baseUrl}${link}`]);
      expect(html.match(/https?:[^"<]+/g)).to.deep.equal([`${baseUrl}${link}`]);
      expect(`${text}${html}`).not.to.match(/graphql|mutation|[{}]\s|TOKEN/i);
    });
  }

  it("an invitation names the shop, the role and the expiry", () => {
    const { subject, text } = renderLetter(letters["an invitation"]![0]);
    expect(subject).to.equal("Join the staff of Harbour Goods");
    for (const phrase of ["Harbour Goods as clerk", "Admin", "works once and expires at 2026-11-26 08:00 UTC"])
      expect(text).to.include(phrase);
  });
});
