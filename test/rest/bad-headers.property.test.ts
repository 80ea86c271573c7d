import { expect } from "chai";
import fc from "fast-check";
import { maskSecrets } from "../../src/platform/mask-secrets.ts";
import { routes } from "../../src/rest/router.ts";
import { headerValue, queryText } from "../support/properties/arbitraries.ts";
import { holds } from "../support/properties/holds.ts";
import { JSON_TYPE, useMerchant } from "../support/requests/merchant.ts";
import { callRaw } from "../support/requests/raw.ts";
import { useServer } from "../support/server.ts";

/** By name, so that a counterexample is short. */
const routesByName = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
const anyRoute = fc.constantFrom(...routesByName.keys());
const BODY = '{"title":"Mug","price":1}';

describe("Bad input outside the body", () => {
  const server = useServer();
  const merchant = useMerchant(server);

  const longKey = fc.constantFrom("k".repeat(255), "k".repeat(256), "\xff".repeat(255), ` ${"k".repeat(255)}\t`);

  holds("is refused as an Idempotency-Key, and a good key replays its answer", 30, () =>
    fc.asyncProperty(fc.oneof({ weight: 9, arbitrary: headerValue }, longKey), async (value) => {
      const idempotencyKey = value.replace(/^[\t ]+|[\t ]+$/g, "");
      const isGood = idempotencyKey.length > 0 && idempotencyKey.length <= 255;
      const send = () => merchant.post(BODY, [["Idempotency-Key", value]]);
      const first = await send();
      expect(first.status, first.text).to.equal(isGood ? 201 : 400);
      const second = await send();
      expect(second.text).to.equal(first.text);
      if (!isGood) return;
      // Two answers with 201, and one product: the first time that the key is used.
      merchant.created -= merchant.idempotencyKeys.has(idempotencyKey) ? 2 : 1;
      merchant.idempotencyKeys.add(idempotencyKey);
    }),
  );

  const keyHeader = fc.constantFrom("Authorization", "X-Service-Access-Token");
  /** A key with one character changed, left out or put in. */
  const almostKey = fc.tuple(fc.nat(), fc.constantFrom(0, 1), headerValue).map(([at, kept, text]) => (real: string) => {
    const place = 1 + (at % (real.length - 1));
    const made = real.slice(0, place) + text.trim().slice(0, 1) + real.slice(place + kept);
    return made === real ? `${real}x` : made;
  });

  holds("is refused as an API key", 50, () =>
    fc.asyncProperty(
      anyRoute,
      keyHeader,
      fc.oneof(
        almostKey,
        fc.oneof(headerValue, queryText).map((text) => () => text),
      ),
      fc.constantFrom("", "Bearer ", "bearer  ", "Basic ", "Bearer Bearer "),
      async (name, header, make, scheme) => {
        const route = routesByName.get(name)!;
        const sent = `${header === "Authorization" ? scheme : ""}${make(merchant.key)}`;
        const headers: [string, string][] = [[header, sent]];
        const answer = merchant.note(await callRaw(server, route.method, merchant.pathOf(route), { headers }));
        expect(answer.status, answer.text).to.equal(401);
        expect(answer.json.error).to.equal("Unauthorized");
      },
    ),
  );

  const otherHeader = fc.constantFrom(
    ...`Accept Accept-Charset Accept-Encoding Accept-Language Cache-Control Content-Encoding Content-Type Cookie
    Forwarded If-Match If-Modified-Since If-None-Match Origin Range X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto
    X-HTTP-Method-Override X-Request-Id __proto__`.split(/\s+/),
  );

  const wellFormedRequestId = /^[\w.:-]{8,64}$/;

  holds("breaks no answer as another header", 60, () =>
    fc.asyncProperty(anyRoute, otherHeader, headerValue, async (routeName, name, value) => {
      const route = routesByName.get(routeName)!;
      const headers: [string, string][] = [...(name === "Content-Type" ? [] : [JSON_TYPE]), [name, value]];
      const answer = await merchant.send(route.method, merchant.pathOf(route), headers, route.body && BODY);
      expect(answer.status, answer.text).to.be.oneOf(
        name === "If-None-Match" ? [route.status, 304] : [route.status, 415],
      );
      const requestId = answer.headers.get("x-request-id");
      const given = value.trim();
      const isKept = name === "X-Request-Id" && wellFormedRequestId.test(given) && maskSecrets(given) === given;
      if (isKept) expect(requestId).to.equal(given);
      else expect(requestId).to.match(/^[\da-f-]{36}$/);
    }),
  );

  const segment = queryText.filter((text) => !text.includes("?"));

  holds("is not found as a path", 40, () =>
    fc.asyncProperty(anyRoute, segment, segment, fc.boolean(), async (name, shop, id, isOwn) => {
      const route = routesByName.get(name)!;
      const shopId = isOwn && route.resource !== "Shop" ? merchant.tenant.shop.id : shop;
      const path = `/${shopId}${route.path.replace(/\{\w+\}/, () => id)}`;
      const answer = await merchant.send(route.method, path, [JSON_TYPE], route.body && BODY);
      expect(answer.status, answer.text).to.equal(404);
    }),
  );
});
