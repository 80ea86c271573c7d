import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import type { ReceiverCheck } from "../../src/core/webhooks/checks/receiver-checks.ts";
import { secretOwner } from "../../src/core/webhooks/endpoints/signing-secrets.ts";
import { signDelivery } from "../../src/core/webhooks/deliveries/delivery-headers.ts";
import { makeDelivery, makeSecret } from "../support/webhooks/signed-delivery.ts";
import { makeDirectory } from "../support/directory.ts";
import { isAtHand } from "../support/programs/is-at-hand.ts";
import { buildEndpoint } from "../support/factories.ts";
import { findFreePort } from "../support/free-port.ts";
import { useServer } from "../support/server.ts";
import { openWorld } from "../support/world.ts";
import { eventually } from "../support/eventually.ts";

interface Example {
  file: string;
  /** A command that prints the version of the required program. */
  runtime: string[];
  /** Prepares the example and returns the command that runs it. */
  command: (file: string, options: { port: number; directory: string }) => string[];
  schemes: string[];
}

const both = ["standard", "sha256"];
const examples: Example[] = [
  {
    file: "typescript/receiver.ts",
    runtime: [process.execPath, "--version"],
    command: (file) => [process.execPath, file],
    schemes: both,
  },
  {
    file: "typescript/receiver-standardwebhooks.ts",
    runtime: [process.execPath, "--version"],
    command: (file) => [process.execPath, file],
    schemes: ["standard"],
  },
  {
    file: "python/receiver.py",
    runtime: ["python3", "--version"],
    command: (file) => ["python3", file],
    schemes: both,
  },
  {
    file: "php/receiver.php",
    runtime: ["php", "--version"],
    command: (file, { port }) => ["php", "-S", `127.0.0.1:${port}`, file],
    schemes: both,
  },
  {
    file: "go/receiver.go",
    runtime: ["go", "version"],
    command: (file, { directory }) => {
      execFileSync("go", ["vet", file]);
      execFileSync("go", ["build", "-o", join(directory, "receiver"), file]);
      return [join(directory, "receiver")];
    },
    schemes: both,
  },
];

for (const { file, runtime, command, schemes } of examples) {
  for (const scheme of schemes) {
    describe(`docs/receivers/${file}, ${scheme}`, () => {
      const server = useServer({ worker: true });
      const secret = makeSecret();
      const newSecret = makeSecret();
      let child: ChildProcess | undefined;
      let directory: string;
      let url: string;
      let output = "";

      before(async function () {
        if (!isAtHand(runtime)) {
          console.log(`    ${file} is not tested: there is no ${runtime[0]} here`);
          return this.skip();
        }
        directory = await makeDirectory();
        const port = await findFreePort();
        const path = fileURLToPath(new URL(`../../docs/receivers/${file}`, import.meta.url));
        const [program, ...flags] = command(path, { port, directory });
        child = spawn(program!, flags, {
          stdio: ["ignore", "pipe", "pipe"],
          env: {
            ...process.env,
            NODE_OPTIONS: "",
            PORT: String(port),
            TMPDIR: directory,
            WEBHOOK_SECRETS: `${newSecret} ${secret}`,
            WEBHOOK_SCHEME: scheme,
          },
        });
        for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk: Buffer) => (output += chunk));
        url = `http://127.0.0.1:${port}`;
        await eventually(
          () => {
            if (child!.exitCode !== null) throw new Error(output);
            return fetch(url).then(
              ({ status }) => status,
              () => 0,
            );
          },
          (status) => status === 405,
        );
      });

      after(async () => {
        if (!child) return;
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      });

      async function send(headers: Record<string, string>, body: string): Promise<number> {
        const response = await fetch(url, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body,
        });
        return response.status;
      }

      const sent = (topic: Parameters<typeof makeDelivery>[0], secrets = { active: secret, valid: [secret] }) => {
        const { eventId, body } = makeDelivery(topic);
        return { eventId, body, headers: signDelivery({ secrets, eventId, body, at: new Date() }) };
      };

      const printed = (line: string) =>
        eventually(
          () => output,
          (text) => text.split("\n").includes(line),
        );

      const expectIgnored = (eventId: string) => expect(output).not.to.include(eventId);

      it("accepts genuine deliveries, and handles them by topic", async () => {
        const paid = sent("order.paid");
        const refunded = sent("order.refunded");
        const created = sent("product.created");
        for (const { headers, body } of [paid, refunded, created]) expect(await send(headers, body)).to.equal(204);
        await printed(`Ship order 1042 (${paid.eventId})`);
        await printed(`Book a refund of 14.5 EUR for order 1042 (${refunded.eventId})`);
        await printed(`Ignore product.created (${created.eventId})`);
      });

      it("handles an event once, however often and concurrently it arrives", async () => {
        const { eventId, headers, body } = sent("order.paid");
        const copies = Array.from({ length: 8 }, () => send(headers, body));
        expect(new Set(await Promise.all(copies))).to.deep.equal(new Set([204]));
        expect(await send(headers, body)).to.equal(204);
        const last = sent("order.paid");
        await send(last.headers, last.body);
        await printed(`Ship order 1042 (${last.eventId})`);
        expect(output.split(eventId)).to.have.length(2);
      });

      it("does nothing for a test event", async () => {
        const { eventId, headers, body } = sent("order.paid");
        expect(await send({ ...headers, "x-webhook-test": "true" }, body)).to.equal(204);
        const last = sent("order.paid");
        await send(last.headers, last.body);
        await printed(`Ship order 1042 (${last.eventId})`);
        expectIgnored(eventId);
      });

      it("answers 500 to an event that it cannot handle, and handles it when it comes again", async () => {
        const { eventId, body } = makeDelivery("order.paid");
        const secrets = { active: secret, valid: [secret] };
        const deliver = (text: string) => send(signDelivery({ secrets, eventId, body: text, at: new Date() }), text);
        expect(await deliver(body.replace('"data"', '"lost"'))).to.equal(500);
        expect(await deliver(body)).to.equal(204);
        await printed(`Ship order 1042 (${eventId})`);
      });

      it("refuses a body with a changed byte", async () => {
        const { eventId, headers, body } = sent("order.paid");
        for (const changed of [
          body.replace("1042", "1043"),
          `${body} `,
          JSON.stringify(JSON.parse(body), null, 1),
          "",
        ]) {
          expect(await send(headers, changed)).to.equal(401);
        }
        expectIgnored(eventId);
      });

      it("refuses a signature with another secret", async () => {
        const other = makeSecret();
        const { eventId, headers, body } = sent("order.paid", { active: other, valid: [other, makeSecret()] });
        expect(await send(headers, body)).to.equal(401);
        expectIgnored(eventId);
      });

      it("refuses a missing or malformed signature", async () => {
        const { eventId, headers, body } = sent("order.paid");
        const names =
          scheme === "sha256"
            ? ["x-webhook-signature"]
            : Object.keys(headers).filter((name) => name.startsWith("webhook-"));
        expect(await send({}, body)).to.equal(401);
        for (const name of names) {
          const { [name]: value, ...others } = headers;
          expect(await send(others, body), `without ${name}`).to.equal(401);
          for (const wrong of [
            "",
            "v1,",
            "sha256=",
            "ü",
            "1e9",
            "-1",
            value!.slice(0, -1),
            `${value}0`,
            value!.slice(3),
          ]) {
            expect(await send({ ...headers, [name]: wrong }, body), `${name}: ${wrong}`).to.equal(401);
          }
        }
        expectIgnored(eventId);
      });

      it("accepts the old and the new secret at every stage of a rotation", async () => {
        const stages = [
          { active: secret, valid: [secret] },
          { active: secret, valid: [newSecret, secret] },
          { active: newSecret, valid: [newSecret, secret] },
          { active: newSecret, valid: [newSecret] },
        ];
        for (const stage of stages) {
          const { headers, body } = sent("order.paid", stage);
          expect(await send(headers, body)).to.equal(204);
        }
      });

      it("passes the receiver check, except for timestamps without Standard Webhooks", async () => {
        const world = await openWorld(server);
        const { endpoint } = await buildEndpoint(server, world.shop, url);
        const sealed = server.app.core.encryption.seal(secret, secretOwner(endpoint));
        await world.sql("update webhook_endpoints set sealed_secret = $2 where shop_id = $1", sealed);
        const results: ReceiverCheck[] = await world.run("checkReceiver", { id: endpoint.id });
        expect(results.every(({ isRun }) => isRun)).to.equal(true);
        const failed = results.filter(({ isPassed }) => !isPassed).map(({ check }) => check);
        expect(failed).to.deep.equal(scheme === "standard" ? [] : ["OLD_TIMESTAMP", "FUTURE_TIMESTAMP"]);
      });

      if (scheme === "standard") {
        it("finds the valid signature among others", async () => {
          const { headers, body } = sent("order.paid", { active: secret, valid: [makeSecret(), secret, makeSecret()] });
          headers["webhook-signature"] = `v1a,c2ln ${headers["webhook-signature"]}`;
          expect(await send(headers, body)).to.equal(204);
        });

        it("refuses timestamps more than five minutes off", async () => {
          const secrets = { active: secret, valid: [secret] };
          for (const [minutes, status] of [
            [-6, 401],
            [-4, 204],
            [4, 204],
            [6, 401],
          ] as const) {
            const { eventId, body } = makeDelivery("order.paid");
            const at = new Date(Date.now() + minutes * 60_000);
            expect(await send(signDelivery({ secrets, eventId, body, at }), body), `${minutes}`).to.equal(status);
            if (status === 401) expectIgnored(eventId);
          }
        });
      }
    });
  }
}
