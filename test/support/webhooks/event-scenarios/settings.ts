import { Role } from "../../../../src/core/model/staff/staff.entity.ts";
import { newId } from "../../../../src/core/model/ids.ts";
import { query } from "../../database.ts";
import { buildEndpoint, buildStaff } from "../../factories.ts";
import { logIn } from "../../graphql.ts";
import { codeOf } from "../../staff/second-factor.ts";
import type { Scenario, Scenarios, Scene } from "./scene.ts";

const key = { input: { name: "Till", scopes: ["READ_PRODUCTS"] } };
const token = { input: { name: "Tool", permissions: ["READ_PRODUCTS"] } };
const invitation = { input: { email: "new@example.com", role: "CLERK" } };
/** Logs in, which ends the browser's earlier session. */
const NOBODY = { cookie: "" };
const LONG_AGO = "2026-01-31T09:30:00.000Z";
const PASSWORD = "a password of theirs";

const endpointOf = async ({ server, shop }: Scene) =>
  (await buildEndpoint(server, shop, "https://receiver.example/hooks")).endpoint.id;
/** A product was created without a delivery to an endpoint. */
async function failedDelivery(scene: Scene): Promise<{ id: string; endpointId: string }> {
  const { shop, server } = scene;
  const [failed] = await query<{ id: string; endpointId: string }>(
    server.databaseUrl,
    `update outstanding_deliveries set status = 'FAILED', next_attempt_at = null
    where id = (select min(id) from deliveries where shop_id = $1) returning id, endpoint_id as "endpointId"`,
    [shop.id],
  );
  return failed!;
}
const memberOf = ({ server, shop }: Scene) => buildStaff(server.em, shop, Role.CLERK);

/** Runs the mutation as another person with a session. */
async function becomeAnother(scene: Scene): Promise<{ password: string; email: string }> {
  const staff = await memberOf(scene);
  scene.session = await logIn(scene.server, staff);
  return staff;
}

/** The same with a second factor, and the proofs to change it. */
async function proveAnother(scene: Scene): Promise<{ password: string; code: string }> {
  const { password } = await becomeAnother(scene);
  const { secret } = await scene.do("beginSecondFactor", { password });
  const [code] = await scene.do("confirmSecondFactor", { code: codeOf(secret) });
  return { password, code };
}

/** A mutation of something without topics, because it is not an API resource. */
const silent = (when: string, given: Scenario["given"]): Scenario => ({ when, emits: [], given });
const without = (when: string, given: Scenario["given"]): Scenario => ({ when, unchanged: true, given });

export const settingsScenarios: Scenarios = {
  updateShop: [
    silent("with another name", () => ({ input: { name: "Corner shop", allowsOverselling: true } })),
    without("with what it is already", ({ shop }) => ({ input: { name: shop.name, allowsOverselling: false } })),
    without("with nothing", () => ({ input: {} })),
  ],
  createApiKey: [silent("once", () => key)],
  updateApiKey: [
    silent("with another name", async (scene) => {
      const { id } = (await scene.do("createApiKey", key)).apiKey;
      return { id, input: { name: "Till at the door" } };
    }),
    without("with the name that it has", async (scene) => {
      const { id } = (await scene.do("createApiKey", key)).apiKey;
      return { id, input: { name: key.input.name } };
    }),
  ],
  rotateApiKey: [silent("once", async (scene) => ({ id: (await scene.do("createApiKey", key)).apiKey.id, input: {} }))],
  revokeApiKey: [
    silent("once", async (scene) => ({ id: (await scene.do("createApiKey", key)).apiKey.id })),
    without("that is revoked already", async (scene) => {
      const { id } = (await scene.do("createApiKey", key)).apiKey;
      await scene.do("revokeApiKey", { id });
      return { id };
    }),
  ],
  createServiceToken: [silent("once", () => token)],
  updateServiceToken: [
    silent("with another name", async (scene) => {
      const { id } = (await scene.do("createServiceToken", token)).serviceToken;
      return { id, input: { name: "Tool shed" } };
    }),
    without("with the name that it has", async (scene) => {
      const { id } = (await scene.do("createServiceToken", token)).serviceToken;
      return { id, input: { name: token.input.name } };
    }),
  ],
  revokeServiceToken: [
    silent("once", async (scene) => ({ id: (await scene.do("createServiceToken", token)).serviceToken.id })),
    without("that is revoked already", async (scene) => {
      const { id } = (await scene.do("createServiceToken", token)).serviceToken;
      await scene.do("revokeServiceToken", { id });
      return { id };
    }),
  ],
  createWebhookEndpoint: [
    silent("once", () => ({ input: { url: "https://receiver.example/new", topics: ["order.created"] } })),
  ],
  updateWebhookEndpoint: [
    silent("that is paused", async (scene) => ({ id: await endpointOf(scene), input: { paused: true } })),
    without("with what it is already", async (scene) => ({
      id: await endpointOf(scene),
      input: { url: "https://receiver.example/hooks", topics: ["product.created"], paused: false },
    })),
    without("with nothing", async (scene) => ({ id: await endpointOf(scene), input: {} })),
  ],
  rotateWebhookSecret: [silent("once", async (scene) => ({ id: await endpointOf(scene), input: {} }))],
  activateWebhookSecret: [
    silent("before its time", async (scene) => {
      const id = await endpointOf(scene);
      const activeAt = new Date(Date.now() + 3_600_000).toISOString();
      await scene.do("rotateWebhookSecret", { id, input: { activeAt } });
      return { id };
    }),
  ],
  sendTestEvent: [silent("once", async (scene) => ({ id: await endpointOf(scene) }))],
  replayDelivery: [
    silent("that failed", async (scene) => ({ id: (await failedDelivery(scene)).id })),
    without("that is on its way", async (scene) => {
      const { id } = await failedDelivery(scene);
      await scene.do("replayDelivery", { id });
      return { id };
    }),
  ],
  replayFailedDeliveries: [
    silent("when some failed", async (scene) => ({ ...(await failedDelivery(scene)), id: undefined, since: LONG_AGO })),
    without("when there are none", async (scene) => ({ endpointId: await endpointOf(scene), since: LONG_AGO })),
  ],
  deleteWebhookEndpoint: [
    silent("once", async (scene) => ({ id: await endpointOf(scene) })),
    without("that never was", () => ({ id: newId("whe") })),
  ],
};

export const staffScenarios: Scenarios = {
  inviteMember: [silent("once", () => invitation)],
  revokeInvitation: [
    silent("once", async (scene) => ({ id: (await scene.do("inviteMember", invitation)).invitation.id })),
    without("that never was", () => ({ id: newId("inv") })),
  ],
  acceptInvitation: [
    silent("by somebody new", async (scene) => {
      // Accounts are shared by all shops, so each scene needs its own address.
      const email = `${scene.shop.id.replace("_", "-")}@example.com`;
      const { token: secret } = await scene.do("inviteMember", { input: { email, role: "CLERK" } });
      scene.session = NOBODY;
      return { token: secret, password: PASSWORD };
    }),
  ],
  changeMemberRole: [
    silent("to another", async (scene) => ({ staffId: (await memberOf(scene)).id, role: "MANAGER" })),
    without("to what it is already", async (scene) => ({ staffId: (await memberOf(scene)).id, role: "CLERK" })),
  ],
  removeMember: [
    silent("once", async (scene) => ({ staffId: (await memberOf(scene)).id })),
    without("that never was", () => ({ staffId: newId("stf") })),
  ],
  leaveShop: [
    silent("by a member", async (scene) => {
      await becomeAnother(scene);
      return {};
    }),
  ],
  endMemberSessions: [
    silent("who is logged in", async (scene) => {
      const staff = await memberOf(scene);
      await logIn(scene.server, staff);
      return { staffId: staff.id };
    }),
    without("who is not", async (scene) => ({ staffId: (await memberOf(scene)).id })),
  ],
  logIn: [
    silent("by a member", async (scene) => {
      const { email, password } = await memberOf(scene);
      scene.session = NOBODY;
      return { email, password };
    }),
  ],
  logOut: [
    silent("by a member", async (scene) => {
      await becomeAnother(scene);
      return {};
    }),
  ],
  changePassword: [
    silent("by a member", async (scene) => {
      const { password } = await becomeAnother(scene);
      return { currentPassword: password, newPassword: PASSWORD };
    }),
  ],
  beginSecondFactor: [
    silent("by a member", async (scene) => {
      const { password } = await becomeAnother(scene);
      return { password };
    }),
  ],
  confirmSecondFactor: [
    silent("by a member", async (scene) => {
      const { password } = await becomeAnother(scene);
      return { code: codeOf((await scene.do("beginSecondFactor", { password })).secret) };
    }),
  ],
  regenerateRecoveryCodes: [silent("by a member", proveAnother)],
  disableSecondFactor: [silent("by a member", proveAnother)],
  requestPasswordReset: [
    { ...without("where no mail is sent", () => ({ email: "nobody@example.com" })), refused: ["FORBIDDEN"] },
  ],
  resetPassword: [
    {
      ...without("by a token that never was", () => ({ token: "x".repeat(43), password: PASSWORD })),
      refused: ["NOT_FOUND"],
    },
  ],
  updateNotificationSettings: [
    silent("to none", () => ({ settings: [{ kind: "TRIAL_ENDING", enabled: false }] })),
    without("to what they are already", () => ({ settings: [{ kind: "TRIAL_ENDING", enabled: true }] })),
    without("with nothing", () => ({ settings: [] })),
  ],
  endSession: [without("that never was", () => ({ id: newId("ses") }))],
  endOtherSessions: [
    silent("of a member", async (scene) => {
      const staff = await becomeAnother(scene);
      await logIn(scene.server, staff);
      return {};
    }),
  ],
};
