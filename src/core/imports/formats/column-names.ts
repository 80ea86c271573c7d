import { customerColumns, productColumns } from "../columns.ts";
import type { ImportField, ImportKind, ImportSource } from "../../model/imports/import.enums.ts";
import type { ImportMapping } from "../../model/imports/imported.ts";

const ownColumns = { PRODUCTS: productColumns, CUSTOMERS: customerColumns };

/**
 * Names of columns without case, spaces and punctuation, as the systems document them. A file is of the first system
 * that has all names of one of its lists.
 */
const signatures: Record<ImportKind, [ImportSource, ...string[]][]> = {
  PRODUCTS: [
    ["SHOPIFY", "handle variantprice", "handle variantsku", "handle bodyhtml", "urlhandle title", "urlhandle sku"],
    ["SQUARE", "itemname variationname"],
    ["WOOCOMMERCE", "type regularprice", "type parent sku", "type published sku"],
  ],
  CUSTOMERS: [
    [
      "SHOPIFY",
      "email acceptsemailmarketing",
      "email acceptsmarketing",
      "email defaultaddressphone",
      "email totalspent",
    ],
    ["SQUARE", "squarecustomerid", "emailaddress referenceid", "emailaddress emailsubscriptionstatus"],
    ["WOOCOMMERCE", "email lastactive", "billingemail", "useremail"],
  ],
};

/** Names of the columns of each field, the best first. The name of the field itself is one of them. */
const names: Partial<Record<ImportField, string>> = {
  HANDLE: "handle urlhandle slug",
  TITLE: "title itemname name productname producttitle product titel produktname bezeichnung nom nombre titolo",
  DESCRIPTION: "description bodyhtml shortdescription productdescription beschreibung descripcion",
  STATUS: "status archived published publishedononlinestore",
  OPTION1_NAME: "option1name optionname1",
  OPTION1_VALUE: "option1value optionvalue1 variationname",
  OPTION2_NAME: "option2name optionname2",
  OPTION2_VALUE: "option2value optionvalue2",
  OPTION3_NAME: "option3name optionname3",
  OPTION3_VALUE: "option3value optionvalue3",
  SKU: "sku variantsku artikelnummer itemnumber itemcode",
  BARCODE: "barcode variantbarcode gtin gtinupceanorisbn ean upc isbn",
  PRICE: "price variantprice regularprice retailprice sellingprice unitprice preis prix precio prezzo",
  INVENTORY_QUANTITY: "inventoryquantity variantinventoryqty stock quantity qty onhand stockquantity bestand",
  EMAIL: "email emailaddress useremail billingemail customeremail emailadresse",
  FIRST_NAME: "firstname givenname billingfirstname vorname prenom name fullname customername",
  LAST_NAME: "lastname surname familyname billinglastname nachname apellido",
  PHONE: "phone phonenumber billingphone defaultaddressphone mobile telephone telefon telefono",
  NOTE: "note notes memo comment notiz",
};

/** Columns of spreadsheets that hold the values of an option. */
const OPTION = /^(size|colou?r|material|style|variant|flavou?r|größe|farbe|taille|couleur|talla)$/;

/** Without case, spaces and punctuation: "Option1 Name" is "option1name". */
export function bareName(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

export function recognizeSource(kind: ImportKind, columns: readonly string[]): ImportSource {
  const own = ownColumns[kind];
  if (columns.length > 1 && columns.every((name) => own.includes(name))) return "MERCHANT_API";
  const bare = new Set(columns.map(bareName));
  const found = signatures[kind].find(([, ...lists]) =>
    lists.some((list) => list.split(" ").every((name) => bare.has(name))),
  );
  return found?.[0] ?? "OTHER";
}

/** The columns of each field, the best first. */
export function guessMapping(kind: ImportKind, source: ImportSource, columns: readonly string[]): ImportMapping[] {
  const bare = columns.map(bareName);
  const fields = ownColumns[kind].map(fieldOf);
  const mapping = fields.flatMap((field) =>
    names[field]!.split(" ")
      .map((name) => ({ field, column: bare.indexOf(name) }))
      .filter(({ column }) => column >= 0)
      // Two columns of stock may be two counts of the same units.
      .slice(0, field === "INVENTORY_QUANTITY" ? 1 : undefined),
  );
  if (source === "SQUARE") mapping.push(...countsOfLocations(bare));
  if (source === "OTHER" && kind === "PRODUCTS" && !mapping.some(({ field }) => field.startsWith("OPTION"))) {
    const options = bare.flatMap((name, column) => (OPTION.test(name) ? [column] : [])).slice(0, 3);
    mapping.push(...options.map((column, index) => ({ field: optionField(index, "VALUE"), column })));
  }
  return mapping;
}

function countsOfLocations(bare: readonly string[]): ImportMapping[] {
  return bare.flatMap((name, column) =>
    name.startsWith("currentquantity") ? [{ field: "INVENTORY_QUANTITY" as const, column }] : [],
  );
}

/** The field of a name of the APIs: "option1Name" is OPTION1_NAME. */
export function fieldOf(name: string): ImportField {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, "_$&").toUpperCase() as ImportField;
}

export function optionField(index: number, part: "NAME" | "VALUE"): ImportField {
  return `OPTION${index + 1}_${part}` as ImportField;
}
