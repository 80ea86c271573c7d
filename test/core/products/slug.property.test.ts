import { expect } from "chai";
import fc from "fast-check";
import { productFields } from "../../../src/core/model/products/product.entity.ts";
import { slugOf } from "../../../src/core/products/handle.ts";
import { codePoint } from "../../support/properties/arbitraries.ts";
import { timesFactor } from "../../support/properties/holds.ts";

describe("A slug", () => {
  for (const [title, slug] of [
    ["Stoneware Mug", "stoneware-mug"],
    ["  Crème brûlée & Café No. 5 ", "creme-brulee-and-cafe-no-5"],
    ["ÄPFEL—größe/XL", "aepfel-groesse-xl"],
    ["Conway's Law", "conways-law"],
    ["Соль", "sol"],
    ["Αθήνα", "athina"],
    ["ბუდე", "bude"],
    ["Ｍｕｇ １２", "mug-12"],
  ] as const) {
    it(`transliterates ${title} to ASCII`, () => expect(slugOf(title)).to.equal(slug));
  }

  for (const [title, slug] of [
    ["木のボウル", "木のボウル"],
    ["中文　标题（小）", "中文-标题-小"],
    ["도자기 머그", "도자기-머그"],
    ["ｶﾞﾗｽ", "ガラス"],
    ["กาน้ำชา 2", "กาน้ำชา-2"],
    ["हिन्दी चाय", "हिन्दी-चाय"],
    ["চা", "চা"],
    ["חולצה כחולה", "חולצה-כחולה"],
    ["ශ්\u200dරී", "ශ්රී"],
    ["Größe – 日本語", "groesse-日本語"],
    ["Tee & 茶", "tee-and-茶"],
    ["İstanbul 茶", "istanbul-茶"],
    // Kazakh has letters that Russian lacks: a word without them would be another.
    ["Қазақ чай", "қазақ-chay"],
  ] as const) {
    it(`preserves the letters of ${title}`, () => expect(slugOf(title)).to.equal(slug));
  }

  it("is a valid handle with at most 200 characters", () => {
    const unit = fc.oneof(codePoint, fc.constantFrom(..."a-木ボ๋ำ्İß\u0301\u200b \u{20000}"));
    const property = fc.property(fc.string({ unit, maxLength: 255 }), (title) => {
      const slug = slugOf(title);
      expect(productFields.handle.rule.parse(slug)).to.equal(slug);
      expect([...slug]).to.have.length.at.most(200);
    });
    fc.assert(property, { numRuns: timesFactor(500) });
  });
});
