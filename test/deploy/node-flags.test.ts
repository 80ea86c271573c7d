import { readFile } from "node:fs/promises";
import { expect } from "chai";

const starts = {
  "package.json": "dist/src/main.js serve",
  Dockerfile: '"dist/src/main.js", "serve"',
  "deploy/compose.yaml": "dist/src/main.js, api",
  "deploy/kubernetes/api.yaml": "dist/src/main.js, api",
  "deploy/systemd/merchant-api-api@.service": "dist/src/main.js api",
};

// Without it, garbage collection pauses affect other shops (fair-shares.md).
describe("Node's flags for an API", () => {
  for (const [file, start] of Object.entries(starts)) {
    it(`enlarge the young generation in ${file}`, async () => {
      const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.includes(start));
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include("--max-semi-space-size=64");
    });
  }
});
