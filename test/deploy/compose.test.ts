import { access, readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect } from "chai";
import { readCompose } from "../support/programs/deployment.ts";
import { beside } from "../support/programs/tool-directory.ts";

// A linter, of which only the Compose Specification's own schema is used.
const schema = JSON.parse(
  await readFile(beside(import.meta.resolve("dclint/package.json"), "schemas/compose.schema.json"), "utf8"),
);
const ajv = new Ajv({ strict: false, validateFormats: false });
// ajv knows this draft by its address of old.
const isCompose = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema#" });

describe("deploy/compose.yaml", () => {
  it("matches the Compose Specification", async () => {
    expect(isCompose(await readCompose()), ajv.errorsText(isCompose.errors)).to.equal(true);
  });

  it("does not match it with an unknown key", async () => {
    const file = await readCompose();
    file.services.api.retsart = "always";
    expect(isCompose(file)).to.equal(false);
  });

  it("refers to existing services, volumes and files", async () => {
    const { services, volumes } = await readCompose();
    // oxlint-disable-next-line typescript/no-explicit-any -- of every service
    for (const service of Object.values<any>(services)) {
      const others = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      expect(services).to.include.keys(...others, "api");
      for (const [source] of (service.volumes ?? []).map((volume: string) => volume.split(":"))) {
        if (source.startsWith(".")) expect(await exists(`deploy/${source}`), source).to.equal(true);
        else expect(volumes).to.have.property(source);
      }
    }
  });

  it("listens on this machine only", async () => {
    const { services } = await readCompose();
    // oxlint-disable-next-line typescript/no-explicit-any -- of every service
    const ports = Object.values<any>(services).flatMap((service) => service.ports ?? []);
    expect(ports).to.have.length.above(3);
    for (const port of ports) expect(port).to.match(/^127\.0\.0\.1:/);
  });
});

describe("deploy/compose.citus.yaml", () => {
  it("is what the Compose Specification says", async () => {
    expect(isCompose(await readCompose("compose.citus.yaml")), ajv.errorsText(isCompose.errors)).to.equal(true);
  });

  it("adds nodes to the services of deploy/compose.yaml, and the command that distributes", async () => {
    const { services } = await readCompose();
    const { services: added } = await readCompose("compose.citus.yaml");
    expect(Object.keys(added).filter((name) => !(name in services))).to.deep.equal([
      "node-1",
      "node-2",
      "nodes",
      "distribute",
    ]);
    for (const name of ["api", "worker"]) expect(added[name].depends_on).to.have.all.keys("distribute");
  });
});

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
