import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";

const script = fileURLToPath(new URL("../../.ci/audit", import.meta.url));

/** A registry's answer about one package whose every version is vulnerable. */
function advisory(name: string, severity: string): string {
  const known = { id: 1, url: "https://example.com/advisory", title: "Is broken", severity, vulnerable_versions: "*" };
  return JSON.stringify({ [name]: [known] });
}

describe(".ci/audit", () => {
  let registry: Server;
  let answer: { status: number; body: string };

  before(async () => {
    registry = createServer((request, response) => {
      request.resume();
      const isAudit = request.method === "POST" && request.url!.endsWith("/advisories/bulk");
      const { status, body } = isAudit ? answer : { status: 404, body: "{}" };
      response.writeHead(status, { "Content-Type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  });

  after(() => registry.close());

  async function audit(status: number, body: string): Promise<{ code: unknown; output: string }> {
    answer = { status, body };
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    // A separate cache, because npm caches advisories.
    const env = { ...process.env, npm_config_registry: address, npm_config_cache: await makeDirectory() };
    return new Promise((resolve) => {
      execFile(script, { env }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
  }

  it("passes without known vulnerabilities", async () => {
    const { code, output } = await audit(200, "{}");
    expect([code, output]).to.deep.equal([0, "The lock file has no known vulnerabilities\n"]);
  });

  it("fails for any vulnerability in production, and names it", async () => {
    const { code, output } = await audit(200, advisory("typeid-js", "low"));
    expect(code).to.equal(1);
    expect(output).to.include("typeid-js").and.to.include("Is broken");
  });

  it("fails for any vulnerability in pages", async () => {
    const { code, output } = await audit(200, advisory("react-dom", "low"));
    expect(code).to.equal(1);
    expect(output).to.include("react-dom");
  });

  it("fails for a high vulnerability in development", async () => {
    expect((await audit(200, advisory("oazapfts", "moderate"))).code).to.equal(0);
    const { code, output } = await audit(200, advisory("oazapfts", "high"));
    expect(code).to.equal(1);
    expect(output).to.include("oazapfts");
  });

  it("prints that nothing was checked without an answer of the registry", async () => {
    const { code, output } = await audit(405, "");
    expect(code).to.equal(0);
    expect(output).to.include("SKIPPED: NOTHING WAS CHECKED FOR VULNERABILITIES").and.to.include("405");
  });
});
