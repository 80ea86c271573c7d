import { randomBytes } from "node:crypto";
import { expect } from "chai";
import { operator } from "../src/core/access/actor.ts";
import { createAccount, findAccount, lockAccount, joinShop } from "../src/core/staff/accounts/account.ts";
import { Role } from "../src/core/model/staff/staff.entity.ts";
import { setPassword } from "../src/core/staff/flows/passwords.ts";
import { codesOf, issuesOf, openBrowser } from "./support/browser/browser.ts";
import { query } from "./support/database.ts";
import { eventually } from "./support/eventually.ts";
import { buildProduct, buildShop } from "./support/factories.ts";
import { tokenIn } from "./support/mail/mail-jobs.ts";
import { mailsThrough, useMailServer } from "./support/mail/mail-server.ts";
import { openTurkishDatabase } from "./support/postgres/turkish-database.ts";
import { useServer } from "./support/server.ts";
import { useWorld } from "./support/world.ts";
import { closeLongAgo, exportText, importText } from "./support/shops/moves.ts";
import { buildInvitation } from "./support/staff/invitations.ts";

const CREATE = `mutation ($shopId: ID!, $email: String!) {
  createCustomer(shopId: $shopId, input: { email: $email, firstName: "İsmail", lastName: "Işık" }) { id email }
}`;
const FIND = `query ($shopId: ID!, $email: String, $search: String) {
  shop(id: $shopId) { customers(email: $email, search: $search) { total items { email } } }
}`;
const FIND_PRODUCTS = `query ($shopId: ID!, $search: String) {
  shop(id: $shopId) { products(search: $search) { total items { title } } }
}`;
const INVITATIONS = "query ($shopId: ID!) { shop(id: $shopId) { invitations { email } } }";
const ASK_RESET = "mutation ($email: String!) { requestPasswordReset(email: $email) }";
const RESET = "mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }";

const PASSWORD = "a password of theirs";

describe("With a Turkish database locale", () => {
  const mailServer = useMailServer();
  const config = { encryptionKeys: [{ name: "test", key: randomBytes(32) }] };
  const server = useServer({ openDatabase: openTurkishDatabase, config });
  const mailing = useServer({ openDatabase: openTurkishDatabase, worker: true, config: mailsThrough(mailServer) });
  const elsewhere = useServer({ config });
  const { shop, ask } = useWorld(server);

  let counted = 0;
  /** An address in capitals, and in small letters, that no other test has. */
  const someone = (): [capitals: string, small: string] => {
    counted += 1;
    return [`INFO-${counted}@example.com`, `info-${counted}@example.com`];
  };

  async function buildAccount(email: string, { em } = server): Promise<string> {
    const { id } = await em.transactional((transaction) =>
      createAccount(transaction, { email, passwordHash: "none yet" }),
    );
    await setPassword(em, operator, { email, password: PASSWORD });
    return id;
  }

  it("PostgreSQL does not fold I to i", async () => {
    const [row] = await query<{ small: string }>(server.databaseUrl, "select lower('I') as small");
    expect(row!.small).to.equal("ı");
  });

  it("staff log in with their address in any case", async () => {
    const [capitals, small] = someone();
    const id = await buildAccount(capitals);
    for (const email of [capitals, small]) {
      expect(codesOf(await openBrowser(server).logIn({ email, password: PASSWORD })), email).to.deep.equal([]);
      expect((await findAccount(server.em.fork(), email))?.id, email).to.equal(id);
      const locked = await server.em.transactional((transaction) => lockAccount(transaction, email));
      expect(locked.id, email).to.equal(id);
    }
  });

  it("an address has a single account", async () => {
    const [capitals, small] = someone();
    await buildAccount(capitals);
    const again = await buildAccount(small).then(
      () => "made",
      ({ code }: { code: string }) => code,
    );
    expect(again).to.equal("CONFLICT");
  });

  it("staff receive a password reset by email", async () => {
    const [capitals, small] = someone();
    await buildAccount(capitals, mailing);
    const { data } = await openBrowser(mailing).ask(ASK_RESET, { email: small });
    expect(data.requestPasswordReset).to.equal(true);
    const mail = await eventually(
      () => mailServer.to(capitals).find(({ text = "" }) => text.includes("/admin/reset#")),
      (found) => found !== undefined,
    );
    const reset = { token: tokenIn(mail!), password: "another password of theirs" };
    expect(codesOf(await openBrowser(mailing).ask(RESET, reset))).to.deep.equal([]);
  });

  it("an invitation replaces an earlier one, and members are not invited again", async () => {
    const [capitals, small] = someone();
    const invite = (email: string) => buildInvitation(server, shop.id, operator, { email, role: Role.CLERK });
    await invite(capitals);
    await invite(small);
    expect((await ask(INVITATIONS)).data.shop.invitations).to.deep.equal([{ email: small }]);
    await buildAccount(capitals);
    await server.em.transactional(async (em) => joinShop(em, shop.id, await lockAccount(em, small), Role.CLERK));
    expect((await ask(INVITATIONS)).data.shop.invitations).to.deep.equal([]);
    expect(await invite(small).catch(({ code }: { code: string }) => code)).to.equal("VALIDATION_FAILED");
  });

  it("an address has a single customer, found in any case", async () => {
    const [capitals, small] = someone();
    expect((await ask(CREATE, { email: capitals })).errors).to.deep.equal([]);
    expect(issuesOf(await ask(CREATE, { email: small }))).to.deep.equal(["email"]);
    for (const email of [capitals, small]) {
      expect((await ask(FIND, { email })).data.shop.customers, email).to.deep.equal({
        total: 1,
        items: [{ email: capitals }],
      });
    }
  });

  it("searches find customers and products in any case", async () => {
    const [capitals] = someone();
    await ask(CREATE, { email: capitals });
    await buildProduct(server.em, shop, { title: "IŞIK Lamp", sku: "IST-1" });
    for (const search of ["ISMAIL", "ismail", "İSMAİL", "IŞIK", "ışık", "isik", capitals, capitals.toLowerCase()]) {
      expect((await ask(FIND, { search })).data.shop.customers.total, search).to.equal(1);
    }
    for (const search of ["IŞIK", "ışık", "isik", "ist-1", "IST-1", "lamp"]) {
      expect((await ask(FIND_PRODUCTS, { search })).data.shop.products.total, search).to.equal(1);
    }
  });

  it("an import refuses an account with another account's address", async () => {
    const [capitals, small] = someone();
    const moved = await buildShop(elsewhere.em);
    const id = await buildAccount(capitals, elsewhere);
    await elsewhere.em.transactional(async (em) =>
      joinShop(em, moved.id, (await findAccount(em, capitals))!, Role.OWNER),
    );
    const own = await buildAccount(small);
    await closeLongAgo(elsewhere, moved);
    const file = await exportText(elsewhere, moved);
    const refusal = await importText(server, file).catch(({ message }: Error) => message);
    expect(refusal).to.include(`${small} has the account ${own} here, but ${id} in the shop that moves`);
  });
});
