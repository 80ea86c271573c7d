import { expect } from "chai";
import { codesOf, issuesOf, openBrowser, type TestBrowser } from "../../support/browser/browser.ts";
import { query } from "../../support/database.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { askGraphql, documentOf } from "../../support/graphql.ts";
import { logInDuring } from "../../support/staff/overtaken-login.ts";
import { useServer } from "../../support/server.ts";

const VIEWER = "{ viewer { id } }";
const NEW_PASSWORD = "a wholly new password";

describe("Changing your password", () => {
  const server = useServer();
  let owner: TestStaff;

  beforeEach(async () => {
    owner = await buildStaff(server.em, await buildShop(server.em));
  });

  async function logIn(): Promise<TestBrowser> {
    const browser = openBrowser(server);
    expect(codesOf(await browser.logIn(owner))).to.deep.equal([]);
    return browser;
  }

  const isLoggedIn = async (browser: TestBrowser) => (await browser.ask(VIEWER)).data.viewer !== null;
  const sessions = () => query(server.databaseUrl, "select from sessions where staff_id = $1", [owner.id]);
  const passwords = () => ({ currentPassword: owner.password, newPassword: NEW_PASSWORD });

  it("ends every session and opens a new one in this browser", async () => {
    const [here, elsewhere] = [await logIn(), await logIn()];
    const old = here.cookies.get("session")!;
    expect((await here.send("changePassword", passwords())).data.changePassword).to.equal(true);
    expect(here.cookies.get("session")).not.to.equal(old);
    expect([await isLoggedIn(here), await isLoggedIn(elsewhere)]).to.deep.equal([true, false]);
    const { data } = await askGraphql(server, VIEWER, {}, { cookie: `session=${old}` });
    expect(data.viewer).to.equal(null);
    expect(codesOf(await openBrowser(server).logIn(owner))).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(codesOf(await openBrowser(server).logIn({ ...owner, password: NEW_PASSWORD }))).to.deep.equal([]);
  });

  it("refuses invalid passwords, and changes nothing", async () => {
    const browser = await logIn();
    for (const [currentPassword, newPassword, path] of [
      [owner.password, "11 of them.", "newPassword"],
      [owner.password, "x".repeat(257), "newPassword"],
      [owner.password, "twelve \0 characters", "newPassword"],
      [owner.password, `twelve ${"\ud800"} characters`, "newPassword"],
      [owner.password, owner.password, "newPassword"],
      ["x".repeat(257), NEW_PASSWORD, "currentPassword"],
    ] as const) {
      const answer = await browser.send("changePassword", { currentPassword, newPassword });
      expect(issuesOf(answer), newPassword).to.deep.equal([path]);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
    }
    const wrong = await browser.send("changePassword", { ...passwords(), currentPassword: "wrong" });
    expect(codesOf(wrong)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(wrong.headers.getSetCookie()).to.deep.equal([]);
    expect(codesOf(await openBrowser(server).logIn(owner))).to.deep.equal([]);
    expect(await isLoggedIn(browser)).to.equal(true);
  });

  it("accepts ten wrong current passwords per session", async () => {
    const browser = await logIn();
    const guess = () => browser.send("changePassword", { ...passwords(), currentPassword: "wrong" });
    const codes = (await Promise.all(Array.from({ length: 12 }, guess))).flatMap(codesOf).toSorted();
    expect(codes.filter((code) => code === "RATE_LIMITED")).to.have.length(2);
    expect(codesOf(await browser.send("changePassword", passwords()))).to.deep.equal(["RATE_LIMITED"]);
  });

  it("requires the session, which the same request may have ended", async () => {
    const anonymous = await openBrowser(server).send("changePassword", passwords());
    expect(codesOf(anonymous)).to.deep.equal(["UNAUTHENTICATED"]);
    const browser = await logIn();
    const document = documentOf("changePassword").replace("{ changePassword", "{ logOut changePassword");
    expect(codesOf(await browser.ask(document, passwords()))).to.deep.equal(["UNAUTHENTICATED"]);
  });

  it("accepts one of two concurrent changes", async () => {
    const browsers = await Promise.all([logIn(), logIn()]);
    const change = (browser: TestBrowser, index: number) =>
      browser.send("changePassword", { ...passwords(), newPassword: `${NEW_PASSWORD} ${index}` });
    const answers = await Promise.all(browsers.map(change));
    expect(answers.filter(({ errors }) => errors.length === 0)).to.have.length(1);
    expect(await sessions()).to.have.length(1);
  });

  it("refuses a concurrent login with the old password", async () => {
    const login = await logInDuring(server, owner, "update staff set password_hash = 'changed' where id = $1");
    expect(codesOf(login)).to.deep.equal(["INVALID_CREDENTIALS"]);
    expect(await sessions()).to.deep.equal([]);
  });
});
