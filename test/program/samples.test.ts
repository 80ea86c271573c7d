import { execFile, execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { buildCustomer, buildKey, buildOrder, buildProduct, buildShop } from "../support/factories.ts";
import { makeDirectory } from "../support/directory.ts";
import { useServer } from "../support/server.ts";
import { examples } from "../../src/rest/schemas.ts";

interface Interpreter {
  /** The language of the fence in Markdown. */
  language: string;
  extension: string;
  command: string;
  prints: "JSON" | "values";
}

const interpreters: Interpreter[] = [
  { language: "sh", extension: "sh", command: "sh", prints: "JSON" },
  { language: "ts", extension: "ts", command: process.execPath, prints: "values" },
  { language: "python", extension: "py", command: "python3", prints: "values" },
];

function isAtHand(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("The samples of the API reference", function () {
  this.timeout(60_000);
  const server = useServer({ config: { baseUrl: "http://samples.example" } });
  let directory: string;
  let key: string;
  let ids: Record<string, string>;

  before("fill a shop", async () => {
    directory = await makeDirectory();
    const shop = await buildShop(server.em);
    key = await buildKey(server.em, shop);
    ids = {
      [examples.shop]: shop.id,
      [examples.prod]: (await buildProduct(server.em, shop)).id,
      [examples.ord]: (await buildOrder(server.em, shop)).id,
      [examples.cus]: (await buildCustomer(server.em, shop)).id,
    };
  });

  /** The samples of all pages in a language, by their operation. */
  async function readSamples(language: string): Promise<[operation: string, sample: string][]> {
    const page = await (await fetch(`${server.url}/docs.md`)).text();
    const pattern = /^## (.+)\n\n`(?:GET|POST) .*`$|^```(\w+)\n([\s\S]*?)^```$/gm;
    let operation = "";
    return [...page.matchAll(pattern)].flatMap(([, heading, fence, sample = ""]) => {
      if (heading) operation = heading;
      // Chapters come before the first operation.
      return fence === language && operation !== "" ? [[operation, sample]] : [];
    });
  }

  function fillIn(sample: string): string {
    const ours = sample.replaceAll("http://samples.example", server.url);
    return Object.entries(ids).reduce((text, [example, id]) => text.replaceAll(example, id), ours);
  }

  for (const { language, extension, command, prints } of interpreters) {
    it(`run in ${language}${isAtHand(command) ? "" : ` (skipped: no ${command} found)`}`, async function () {
      if (language === "python" && !isAtHand(command)) return this.skip();
      const samples = await readSamples(language);
      expect(samples.map(([operation]) => operation))
        .to.have.length(8)
        .and.to.include("Create a product");
      for (const [operation, sample] of samples) {
        const file = join(directory, `sample.${extension}`);
        await writeFile(file, fillIn(sample));
        const env = { PATH: process.env.PATH, MERCHANT_API_KEY: key };
        const { stdout } = await promisify(execFile)(command, [file], { env });
        expect(stdout.trim(), operation).to.match(/^\{[\s\S]+\}$/);
        if (prints === "JSON") expect(JSON.parse(stdout), operation).not.to.have.property("error");
      }
    });
  }

  it("do not need uuidgen, which small images lack", async () => {
    const page = await (await fetch(`${server.url}/docs.md`)).text();
    expect(page).not.to.include("uuidgen");
  });
});
