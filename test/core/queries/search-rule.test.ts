import { expect } from "chai";
import fc from "fast-check";
import { customerSearchTerm, customerSearchWords } from "../../../src/core/customers/search-words.ts";
import { productSearchTerm, productSearchWords } from "../../../src/core/products/search-words.ts";
import { spellingsOf } from "../../../src/platform/fold-text.ts";
import { searchOf, type Search } from "../../../src/core/queries/search.ts";
import { slugOf } from "../../../src/core/products/handle.ts";
import { query } from "../../support/database.ts";
import { timesFactor } from "../../support/properties/holds.ts";
import { useServer } from "../../support/server.ts";

const SHOP = "shop_000001";

function product({ title = "Thing", sku = "", barcode = "" }): string {
  return productSearchWords({ shopId: SHOP, title, handle: slugOf(title) }, [{ sku, barcode }]);
}

function customer({ email = "x@x.example", firstName = "", lastName = "", phone = null as string | null }): string {
  return customerSearchWords({ shopId: SHOP, email, firstName, lastName, phone });
}

const inProducts = (search: string) => searchOf(SHOP, search, productSearchTerm);
const inCustomers = (search: string) => searchOf(SHOP, search, customerSearchTerm);

describe("A search finds", () => {
  const server = useServer();

  /** True for each record whose words match its search. */
  async function matches(pairs: readonly [words: string, search: Search | undefined][]): Promise<boolean[]> {
    const rows = await query<{ is: boolean }>(
      server.databaseUrl,
      `select words::tsvector @@ search::tsquery as is
      from unnest($1::text[], $2::text[]) with ordinality as pair (words, search, place) order by place`,
      [pairs.map(([words]) => words), pairs.map(([, search]) => search!.join(" & "))],
    );
    return rows.map((row) => row.is);
  }

  const titles: [title: string, found: string[], notFound?: string[]][] = [
    [
      "Mug Blue",
      [
        "mug, blue",
        "blue mug",
        '"blue mug"',
        "(mug)",
        "mug;",
        "mug.",
        "Mug - Blue",
        "Mug / Blue",
        "Mug | Blue",
        "mug,blue",
        "mug/blue",
        "mug@blue",
        "MUG_BLUE",
        "“mug” «blue»",
        "¿mug?",
        "mu bl",
        "mug!!!",
        "mug…",
        "mug™",
      ],
      ["ug", "mugs", "mug red", "mugblues"],
    ],
    ["T-Shirt", ["t-shirt", "tshirt", "t shirt", "shirt", "T‑Shirt", "t–shirt", "tsh"]],
    ["O'Neill Jacket", ["o'neill", "oneill", "neill", "o neill", "O’Neill", "O`Neill", "Oʼneill"]],
    ["Levi's 501", ["levis", "levi's", "levi’s 501", "levi 501"]],
    ["WH-1000XM5 8½ Zoll T-Shirt 0.33 l", ["1000xm5", "8 1/2", "0,33l", "t-shirt"], ["xm5", "8.5", "33cl", "t-shirts"]],
    ["WD40 Spray", ["wd-40", "wd40", "WD 40"]],
    ["M8-Schraube", ["schraube-m8", "schraube/m8", "schr m8", "m8 schr"]],
    ["WD-40 Spray", ["wd40", "wd 40", "40"]],
    ["Kugelhahn ½ Zoll", ["1/2", "½", "1⁄2", "1∕2", "kugelhahn 1/2 zoll"], ["12", "1/4"]],
    ["Kugelhahn 1/2 Zoll", ["½", "1⁄2", "1/2"], ["12"]],
    ["Rohr 3½ cm", ["3 1/2", "3½"]],
    ["Nagel 3,5 mm", ["3.5", "3,5", "3,5mm", "3.5 mm", "nagel 3"], ["35 cm"]],
    ["3.5mm Jack", ["3,5 mm", "3.5mm", "jack mm"], ["35", "35mm"]],
    ["35mm Film", ["35 mm", "35mm"], ["3.5mm", "3,5 mm"]],
    ["1/2 Zoll Hahn", ["½ zoll", "1/2"], ["12"]],
    ["Mug 12 oz blue", ["12oz", "12 oz", "oz mug 12", "blue mug 12oz"], ["2oz", "12ob"]],
    ["Mug 12oz blue", ["12oz", "12 oz", "blue 12 oz mug"], ["z"]],
    ["Plakat 60 × 40 cm", ["60x40cm", "60 x 40cm", "60 x", "40cm", "cm"]],
    ["Phone15 pro A4 red", ["pro", "red a4", "phone15 pro", "pro phone"]],
    ["Kaffee 500 x2", ["x2", "500 x2", "kaffee x2"]],
    ["Schraube M8×20", ["m8x20", "M8 x 20", "m8×20", "m8", "20"]],
    ["Schraube M8 x 20", ["m8x20", "M8×20", "m8"]],
    ["Plakat 60x40", ["60 x 40", "60×40", "60x40", "60X40", "40", "60", "60 ✕ 40"], ["64"]],
    ["Plakat 60 × 40 × 20 cm", ["60x40x20", "60 x 40", "20 cm"]],
    ['TV 55"', ['55"', "55″", "55”", "55"]],
    ["TV 55″", ['55"', "55″", "tv 55"]],
    ["Müller Tasse", ["muller", "mueller", "müller", "MÜLLER", "Mu\u0308ller"]],
    ["Mueller Tasse", ["müller", "mueller", "MUELLER"]],
    ["Åse Smørrebrød", ["aase", "ase", "åse", "smorrebrod", "smoerrebroed", "smørrebrød"]],
    ["Groß Straße", ["gross strasse", "GROSS", "groß"]],
    ["Crème brûlée", ["creme brulee", "crème", "BRÛLÉE"]],
    ["Ёлка", ["елка", "ёлка"]],
    ["İstanbul ışık", ["istanbul", "ISTANBUL", "ıstanbul", "isik"]],
    ["Łódź", ["lodz"]],
    ["Σίσυφος", ["σισυφοσ", "ΣΙΣΥΦΟΣ"]],
    // The micro sign, and the Greek letter.
    ["Brush 5 \u00b5m", ["5 \u03bcm", "\u039cM"]],
    ["\ufb01nest silk", ["FINEST", "fine"]],
    ["צה״ל", ['צה"ל', "צה״ל", "צהל"]],
    ["ז׳קט", ["ז'קט", "ז׳קט"]],
    ["תל־אביב", ["תל-אביב", "תל אביב", "אביב"]],
    ["שָׁלוֹם", ["שלום"]],
    ["كتاب علي", ["کتاب", "علی", "كتاب"]],
    ["أحمـــد", ["احمد", "أحمد"]],
    ["مدرسة", ["مدرسه", "مدرسة"]],
    ["مصطفى", ["مصطفي", "مصطفى"]],
    ["إسلام آباد", ["اسلام اباد"]],
    ["چای", ["چاي", "چای"]],
    ["می\u200cخواهم", ["میخواهم", "می خواهم", "می\u200cخواهم", "خواهم"]],
    ["قلم ۵۰۰", ["500", "٥٠٠", "۵۰۰"]],
    ["पेन ५००", ["500", "५००"]],
    ["Pen 500", ["५००", "５００", "๕๐๐"]],
    ["ラテ", ["らて", "ラテ", "ﾗﾃ"]],
    ["ガラス", ["ｶﾞﾗｽ", "がらす"], ["カラス"]],
    ["コーヒー・カップ", ["コーヒーカップ", "カップ", "コーヒー カップ"]],
    ["青花瓷大杯", ["青花", "瓷", "大杯", "青花 杯", "青花瓷大杯", "杯"], ["红", "青花碗"]],
    ["有田焼Cup", ["cup", "有田焼", "有田焼 cup"]],
    ["ยาสีฟันเด็ก", ["ยาสีฟัน", "เด็ก", "ยาสีฟันเด็ก"]],
    ["한국어 책", ["한국", "책", "한국어", "국어", "어 책"], ["한어", "책국"]],
    ["아이스커피 500ml", ["커피", "아이스 커피", "커피500ml", "이스커", "커피 / 아이스"], ["커스"]],
    ["烏龍茶碗", ["茶", "龍", "茶碗", "茶/龍", "碗・茶"], ["紅茶"]],
    ["القهوة العربية", ["قهوة", "القهوة", "عربية", "قهوه عربيه", "والقهوة", "للقهوة", "قه"], ["هوة", "رقهوة"]],
    ["آلة للقهوة والشاي بالحليب", ["قهوة", "شاي", "الحليب", "حليب", "آلة", "بالشاي"]],
    ["מכונת הקפה והחלב", ["קפה", "הקפה", "חלב"]],
    ["Ｍｕｇ ㎏", ["mug kg", "ＭＵＧ"]],
    ["Gift 🎁❤️ Box", ["🎁", "❤", "🎁 box", "gift"], ["🎂"]],
    ["Acme® Widget™", ["acme widget", "acme®", "widget™"]],
    ["C++ Primer, A&B, Inc.", ["c++", "c primer", "a&b", "ab inc", "inc"]],
    ["Set (3 pcs.)", ["3 pcs", "set (3)"]],
    ["Hawaiʻi Shirt", ["hawaii", "hawai'i"]],
    ["1.234,56 Coupon", ["1.234,56", "1,234.56"]],
    // Lines of https://www.unicode.org/Public/17.0.0/ucd/auxiliary/WordBreakTest.txt, by their rules. WB4: marks and
    // joiners belong to the letter before them.
    ["a\u0308 א\u0308 1\u0308", ["a", "א", "1"]],
    ["a\u2060b\u00adc", ["abc", "a\u00adbc"]],
    // WB5, WB8 to WB10: letters and digits in a row are one word.
    ["A1B2 3a", ["a1", "A1B2", "3a"], ["b2"]],
    // WB6, WB7, WB11, WB12: a sign inside a word or number. It is found whole, and by its parts.
    ["can't", ["can't", "cant", "can’t", "can"]],
    ["a.b l·l e·f", ["a.b", "ab", "b", "l·l", "ll", "ef"]],
    ["A:B", ["a:b", "ab", "b"]],
    ["3.2 1,5", ["3.2", "3,2", "1.5"], ["32", "15"]],
    // WB7a to WB7c: Hebrew with a quotation mark.
    ["א\"א ב'", ['א"א', "אא", "א״א", "ב", "ב'"]],
    // WB13: katakana, and WB13a, WB13b: connectors.
    ["〱ア", ["ア", "〱ア"]],
    ["a_1 1_a A__A", ["a_1", "a1", "1", "a_a", "aa"]],
    // WB3c, WB15, WB16: emoji sequences and flags.
    ["👩\u200d👧 🇩🇪 👶🏿", ["👩\u200d👧", "🇩🇪", "👶🏿"]],
    // WB999: everything else separates.
    ["a-b c/d e@f g,h", ["a b", "b", "d", "f", "h", "e f", "g,h"], ["gh"]],
  ];
  const codes: [code: { sku?: string; barcode?: string }, found: string[], notFound?: string[]][] = [
    [
      { sku: "ABC-123/4" },
      ["abc1234", "ABC-123/4", "abc 123 4", "abc.123.4", "abc_123", "123/4", "123", "abc1", "ABC-123-4", "abc–123⁄4"],
      ["bc123", "abc5"],
    ],
    [{ sku: "ABC1234" }, ["abc-1234", "ABC 1234", "abc-123", "abc 123/4"], ["1234"]],
    [{ sku: "00123-A" }, ["00123a", "00123-a"], ["123-A"]],
    [{ sku: "P60×40" }, ["p60x40", "P60 x 40", "p60×40"]],
    [{ sku: "AB 12 3" }, ["ab123", "ab-12-3", "ab 12"]],
    [
      { barcode: "4006381333931" },
      [
        "4006381333931",
        "4 006381 333931",
        "400-6381-333931",
        "04006381333931",
        "40063",
        "]C10104006381333931",
        "(01)04006381333931",
        "010400638133393117251231",
        "]E04006381333931",
      ],
      ["6381333931", "0400"],
    ],
    [{ barcode: "0036000291452" }, ["36000291452", "0036000291452", "036000 291452", "(01)00036000291452(10)A1"]],
    [{ barcode: "036000291452" }, ["036000291452", "0036000291452", "36000291452", "0 36000 29145 2"]],
    [{ barcode: "080442957X" }, ["0-8044-2957-x", "0 8044 2957 X"]],
    [{ barcode: "9912345" }, ["9912345"], ["0012345", "00-12345", "0991"]],
    [{ barcode: "978-3-16-148410-0" }, ["9783161484100", "978 3 16 148410 0", "978-3-16", "148410"]],
    [
      { barcode: "5400000002649" },
      [
        "]C10105400000002649",
        "0105400000002649172512311020",
        "(01) 05400000002649 (17) 251231",
        "]d2\u001d17251231010540000000264910A",
        "https://id.gs1.org/01/05400000002649/10/A?17=251231",
      ],
      ["02054000000026493710", "00000005400000002649"],
    ],
  ];
  const people: [fields: Parameters<typeof customer>[0], found: string[], notFound?: string[]][] = [
    [
      { firstName: "Anna", lastName: "Müller", email: "anna.mueller@example.com", phone: "+49 30 1234567" },
      [
        "Müller, Anna",
        "anna mueller",
        "Anna Müller <anna.mueller@example.com>",
        "mailto:anna.mueller@example.com",
        "anna.mueller@example.com,",
        "anna@",
        "example.com",
        "\u202a+49\u00a030\u00a01234567\u202c",
        "tel:+49301234567",
      ],
      ["anne", "bo@example.com", "ann@example.com", "mueller@example.org"],
    ],
    [
      { firstName: "Bo", lastName: "Ek", email: "bo@example.com" },
      ["Bo Ek <bo@example.com>", "bo@example.com,", "ek, bo"],
    ],
    [{ firstName: "Sinéad", lastName: "O’Connor" }, ["o'connor", "oconnor", "Sinead O Connor", "O'CONNOR, Sinéad"]],
    [{ firstName: "太郎", lastName: "山田" }, ["山田太郎", "山田 太郎", "太郎"]],
    [{ firstName: "Jean-Luc", lastName: "Picard" }, ["jean luc", "jeanluc", "luc picard", "jean-luc"]],
  ];

  const cases: [record: string, words: string, find: typeof inProducts, found: string[], notFound?: string[]][] = [
    ...titles.map(([title, ...rest]) => [title, product({ title }), inProducts, ...rest] as const),
    ...codes.map(([code, ...rest]) => [JSON.stringify(code), product(code), inProducts, ...rest] as const),
    ...people.map(([fields, ...rest]) => [JSON.stringify(fields), customer(fields), inCustomers, ...rest] as const),
  ].map((one) => [...one] as (typeof cases)[number]);

  for (const [record, words, find, found, notFound = []] of cases) {
    it(`${record} by ${found.join(" · ")}`, async () => {
      const searches = [...found, ...notFound];
      const is = await matches(searches.map((search) => [words, find(search)]));
      const wrong = searches.filter((_, index) => is[index] !== index < found.length);
      expect(wrong, words).to.deep.equal([]);
    });
  }

  it("everything without a word to look for", () => {
    for (const search of ["", " ", "-", "%", "...", "“”", "( )", "/ \\ | & ! * : ' \""]) {
      expect(inProducts(search), search).to.equal(undefined);
      expect(inCustomers(search), search).to.equal(undefined);
    }
  });

  it("a record by any of its words, in any order and punctuation, and by no other word", async () => {
    const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwyzäöüéñçßøåłđşığжёйλςאבגعيك0123456789");
    const word = fc.string({ unit: letters, minLength: 2, maxLength: 9 }).filter((text) => /\p{L}/u.test(text));
    const mark = fc.constantFrom(...Array.from("!\"#$%&'()*+,-./:;<=>?[\\]^_`{|}~", (sign) => sign), " ", " - ", ", ");
    const form = fc.constantFrom(
      (text: string) => text.normalize("NFC"),
      (text: string) => text.normalize("NFD"),
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
    );
    const record = fc.record({
      words: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      stored: form,
      typed: form,
      marks: fc.array(mark, { minLength: 12, maxLength: 12 }),
      order: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
      cut: fc.integer({ min: 2, max: 9 }),
    });
    const samples = fc.sample(record, timesFactor(400));
    const pairs = samples.flatMap(({ words, stored, typed, marks, order, cut }) => {
      const title = words.map((one, index) => one + marks[index]).join("");
      // Of a code, only whole words: codes have a letter and a digit, and no space.
      const isCut = !words.some((one) => /\d/.test(one));
      const search = order.map(
        (place, index) =>
          [...words[place % words.length]!].slice(0, isCut ? cut : undefined).join("") + marks[index + 5],
      );
      return [[product({ title: stored(title) }), inProducts(typed(search.join("")))]] as const;
    });
    const is = await matches(pairs.map(([words, search]) => [words, search]));
    const missed = samples
      .filter((_, index) => !is[index])
      .map(({ words, marks, order, cut }) => ({ words, marks, order, cut }));
    expect(missed.slice(0, 3)).to.deep.equal([]);
  });

  it("a record by any part of its words in scripts without spaces", async () => {
    const letters = "한국어책커피茶青花瓷烏龍カタラテおちゃยาสีฟันเด็กລາວកាហ្វេကော်ဖီ";
    const word = fc.string({ unit: fc.constantFrom(...letters.match(/\p{L}\p{M}*/gu)!), minLength: 1, maxLength: 6 });
    const record = fc.record({ word, start: fc.nat(5), end: fc.nat(5), mark: fc.constantFrom("", " ", "/", "・") });
    const pairs = fc.sample(record, timesFactor(400)).map(({ word: title, start, end, mark }) => {
      const parts = title.match(/\p{L}\p{M}*/gu)!;
      const partOf = (from: number) => parts.slice(from % parts.length).join("");
      return [title, mark === "" ? partOf(start) : partOf(start) + mark + parts[end % parts.length]] as const;
    });
    const is = await matches(pairs.map(([title, search]) => [product({ title }), inProducts(search)]));
    expect(pairs.filter((_, index) => !is[index]).slice(0, 3)).to.deep.equal([]);
  });

  it("no record by a word that it does not have", async () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcäßжאك"), minLength: 2, maxLength: 5 });
    const mark = fc.constantFrom(" ", ", ", " - ", " / ", "; ", '" "', ") (");
    const record = fc.record({
      words: fc.array(word, { minLength: 1, maxLength: 5 }),
      marks: fc.array(mark, { minLength: 5, maxLength: 5 }),
      other: word,
    });
    const begins = (text: string, other: string) =>
      spellingsOf(text).some((one) => spellingsOf(other).some((start) => one.startsWith(start)));
    const samples = fc
      .sample(record, timesFactor(1_000))
      .filter(({ words, other }) => !words.some((one) => begins(one, other)));
    const is = await matches(
      samples.map(({ words, marks, other }) => {
        const title = words.map((one, index) => one + marks[index]).join("");
        // Not the handle of the title, which is also found joined.
        const stored = productSearchWords({ shopId: SHOP, title, handle: "x" }, []);
        return [stored, inProducts(`${words[0]} ${other}`)] as const;
      }),
    );
    expect(samples.filter((_, index) => is[index]).slice(0, 3)).to.deep.equal([]);
    expect(samples.length).to.be.greaterThan(100);
  });
});
