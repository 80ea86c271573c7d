import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { makeDirectory } from "../support/directory.ts";
import { readManifests } from "../support/programs/deployment.ts";
import { beside, compile } from "../support/programs/tool-directory.ts";

/** The modules of Kubernetes' own description in TypeScript, by `apiVersion`. */
const modules: Record<string, string> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "batch/v1": "batch/v1",
  "policy/v1": "policy/v1",
};
const types = beside(import.meta.resolve("kubernetes-types/package.json"), ".");

describe("The manifests in deploy/kubernetes", () => {
  /** Lists the compiler's complaints about the manifests. A field that Kubernetes does not know is one. */
  async function findFaults(change = (text: string) => text): Promise<string> {
    const directory = await makeDirectory();
    const lines = (await readManifests()).map(({ file: _, ...manifest }, index) => {
      const type = `import(${JSON.stringify(join(types, modules[manifest.apiVersion]!))}).${manifest.kind}`;
      return `export const manifest${index}: ${type} = ${change(JSON.stringify(manifest, null, 2))};`;
    });
    await writeFile(join(directory, "manifests.ts"), lines.join("\n"));
    const { code, output } = await compile(directory, "manifests.ts");
    return code === 0 ? "" : output;
  }

  it("match the Kubernetes schema", async () => {
    expect(await findFaults()).to.equal("");
  });

  it("do not match it with an unknown field or a wrong type", async () => {
    expect(await findFaults((text) => text.replace('"readinessProbe"', '"readinesProbe"'))).to.include("readinesProbe");
    expect(await findFaults((text) => text.replace('"replicas": 2', '"replicas": "2"'))).to.include(
      "'string' is not assignable to type 'number'",
    );
  });

  it("select existing pods and probe their ports", async () => {
    const manifests = await readManifests();
    const pods = manifests.filter(({ kind }) => kind === "Deployment").map(({ spec }) => spec.template);
    const selects = (labels: object) =>
      pods.filter((pod) => JSON.stringify(pod.metadata.labels) === JSON.stringify(labels));
    for (const { kind, spec } of manifests) {
      if (kind === "Deployment" || kind === "PodDisruptionBudget")
        expect(selects(spec.selector.matchLabels)).to.have.length(1);
      if (kind !== "Service") continue;
      const [pod] = selects(spec.selector);
      expect(pod.spec.containers[0].ports).to.deep.include({ name: spec.ports[0].targetPort, containerPort: 4000 });
    }
    for (const { spec } of pods) {
      const [{ ports, livenessProbe, readinessProbe, startupProbe }] = spec.containers;
      expect([livenessProbe, readinessProbe, startupProbe].map(({ httpGet }) => httpGet)).to.deep.equal(
        ["/livez", "/readyz", "/livez"].map((path) => ({ path, port: ports[0].name })),
      );
    }
  });

  it("contain no secret", async () => {
    const secret = (await readManifests()).find(({ kind }) => kind === "Secret")!;
    expect(Object.values(secret.stringData).join("")).to.equal("");
  });
});
