import { expect } from "chai";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { buildCustomer } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

describe("A customer search", () => {
  const world = useWorld({}, { role: Role.VIEWER });
  const { server } = world;

  const build = (fields: Parameters<typeof buildCustomer>[2]) => buildCustomer(server.em, world.shop, fields);

  /** The last names of the customers that it finds. */
  async function find(search: string): Promise<string[]> {
    const { items } = await world.run("customers", { search });
    return items.map(({ lastName }: { lastName: string }) => lastName);
  }

  for (const [phone, ...searches] of [
    [
      "+49 30 1234567",
      "+49301234567",
      "+49-30-1234567",
      "+49 (30) 1234567",
      "+49 (0)30 1234567",
      "0049 30 1234567",
      "+49 030 1234567",
      "49301234567",
      "030 1234567",
      "030/1234567",
      "030–1234567",
      "(030) 123 45 67",
      "+49\u00a030\u00a01234567",
      "＋４９ ３０ 1234567",
      "1234567",
      "+49 30",
      "Hopper 030/1234567",
      "030/1234567 hopper",
    ],
    ["0301234567", "030-1234567", "030/1234567", "030 1234567", "+49 30 1234567", "0049-30-1234567", "0301", "3012345"],
    ["030/123-4567", "0301234567", "+49 (0)30 1234567", "030 12345"],
    ["0049 (0)30 1234567", "+49301234567", "030 1234567"],
    ["+49 030 1234567", "+49301234567", "030 1234567", "+49 030 1234567"],
    ["(555) 123-4567", "+1 555 123 4567", "5551234567", "555.123.4567"],
    ["+1 555 123 4567", "(555) 123-4567", "001 555 123 4567"],
    ["+39 06 1234567", "06 1234567", "+39061234567"],
    ["06 1234567", "+39 06 1234567"],
    ["+353 1 234 5678", "01 234 5678"],
    ["01 234 5678", "+353 1 234 5678"],
  ] as const) {
    it(`finds the phone number ${phone} in any format`, async () => {
      await build({ lastName: "Hopper", phone });
      await build({ phone: "+1 212 555 0100", email: "49301@example.com" });
      for (const search of searches) {
        expect(await find(search), search).to.deep.equal(["Hopper"]);
      }
    });
  }

  it("finds no phone number of another country", async () => {
    await build({ phone: "+43 30 1234567" });
    for (const search of ["+49 30 1234567", "0049301234567"]) expect(await find(search), search).to.deep.equal([]);
  });

  it("finds numbers in other fields too", async () => {
    await build({ lastName: "Hopper", email: "4711-0815@2024.example" });
    for (const search of ["4711-0815", "0815 4711", "2024 0815"]) expect(await find(search), search).to.have.length(1);
  });

  it("matches no word across first and last name", async () => {
    await build({ firstName: "Anna", lastName: "Smith" });
    for (const search of ["hanna", "smithanna", "annasmith"]) expect(await find(search), search).to.deep.equal([]);
  });

  it("finds an international domain in both forms", async () => {
    await build({ lastName: "Hopper", email: "info@xn--mnchen-3ya.example" });
    for (const search of ["info@münchen.example", "@MUNCHEN.example", "xn--mnchen"]) {
      expect(await find(search), search).to.deep.equal(["Hopper"]);
    }
  });
});
