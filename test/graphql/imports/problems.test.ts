import { expect } from "chai";
import { buildProduct } from "../../support/factories.ts";
import { Importing } from "../../support/shops/imports.ts";
import { useWorld } from "../../support/world.ts";

interface Problem {
  row: number;
  message: string;
}

const problemsOf = ({ faulty }: { faulty: { problems: Problem[] }[] }) => faulty.flatMap(({ problems }) => problems);

describe("Imports with problems", () => {
  const { server, shop, sql } = useWorld({ worker: true });
  let importing: Importing;

  beforeEach(async () => {
    importing = await Importing.open(server, shop);
  });

  it("leave out records with problems, and list these", async () => {
    const faulty = `Handle,Title,SKU,Price
mug,Mug,MUG,7.50
bad,Bad,BAD,free
cup,Cup,CUP,1
cup-2,Cup,CUP,1
sum,Sum,SUM,=1+1
`;
    const checked = await importing.check("PRODUCTS", faulty);
    expect(checked).to.deep.include({ state: "CHECKED", itemCount: 5, faultyCount: 4 });
    const [price, ...repeated] = problemsOf(checked);
    expect(price).to.deep.include({ row: 3, column: "Price", value: "free" });
    expect(repeated[0]).to.deep.include({ row: 4, column: "SKU", value: "CUP", message: "Row 5 has the same value." });
    expect(repeated[1]).to.deep.include({ row: 5, column: "SKU", value: "CUP", message: "Row 4 has the same value." });
    const response = await fetch(`${server.url}/imports/${shop.id}/${checked.id}/problems.csv`, {
      headers: importing.headers,
    });
    expect(response.headers.get("content-disposition")).to.equal('attachment; filename="problems.csv"');
    const lines = (await response.text()).split("\r\n");
    expect(lines[0]).to.equal("row,column,value,message,remedy");
    expect(lines).to.have.length(checked.problemCount + 2);
    expect(lines.find((line) => line.includes("1+1"))).to.include(`,'=1+1,`);
    await importing.change("startImport", { id: checked.id, input: { existing: "UPDATE" } });
    expect(await importing.ended(checked.id)).to.deep.include({ createdCount: 1, refusedCount: 0 });
    const stored = await sql("select sku from variants where shop_id = $1");
    expect(stored.map(({ sku }) => sku)).to.deep.equal(["MUG"]);
  });

  it("find a SKU of two products, one of which has no handle to be found by later", async () => {
    const file = "handle,title,option1Name,option1Value,sku,price\ncup-2,Cup,,,CUP,1\n,cup ,,,CUP,1\n";
    const checked = await importing.check("PRODUCTS", file);
    expect(problemsOf(checked).map(({ row, message }) => [row, message])).to.deep.equal([
      [2, "Row 3 has the same value."],
      [3, "Row 2 has the same value."],
    ]);
  });

  it("show what they would refuse, and report what they refuse after a change", async () => {
    for (const title of ["First", "Second"]) await buildProduct(server.em, shop, { title, sku: "TWICE" });
    await buildProduct(server.em, shop, { title: "Mug", sku: "MUG" });
    const file = `handle,title,option1Name,option1Value,sku,price
a,A,,,A,1
x,X,,,TWICE,1
mug,Mug,Size,S,MUG,1
b,B,,,B,1
`;
    const checked = await importing.check("PRODUCTS", file);
    expect(checked).to.deep.include({ state: "CHECKED", faultyCount: 2 });
    expect(problemsOf(checked).map(({ row, message }) => [row, message])).to.deep.equal([
      [3, "Several existing records fit."],
      [4, "The options of the product are none."],
    ]);
    for (const title of ["Third", "Fourth"]) await buildProduct(server.em, shop, { title, sku: "A" });
    await importing.change("startImport", { id: checked.id, input: { existing: "UPDATE" } });
    const report = await importing.ended(checked.id);
    expect(report).to.deep.include({ state: "FINISHED", createdCount: 1, refusedCount: 1, doneCount: 2 });
    expect(report.refusals).to.deep.equal([{ row: 2, message: "Several existing records fit" }]);
  });
});
