import { customerColumns, METADATA, productColumns } from "../../csv/columns.ts";
import type { ImportField, ImportKind, ImportSource } from "../../model/imports/import.enums.ts";
import type { ImportMapping } from "../../model/imports/imported.ts";
import { englishNames } from "./woocommerce-names.ts";

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
  TITLE:
    "title itemname name productname producttitle product titel produktname artikelname artikelbezeichnung produktbezeichnung bezeichnung produkt artikel nom nomduproduit désignation designation libellé libelle article produit intitulé nombre nombredelproducto producto artículo título titulo titolo nome nomeprodotto prodotto articolo productnaam artikelnaam naam omschrijving benämning produktnamn namn varenavn navn nazwa nazwaproduktu название наименование",
  DESCRIPTION:
    "description bodyhtml shortdescription productdescription beschreibung artikelbeschreibung produktbeschreibung langtext descripcion descripción descrizione descriptif descriptionproduit beschrijving beskrivning beskrivelse opis описание",
  STATUS:
    "status archived published publishedononlinestore produktstatus artikelstatus statut état estado stato isvisible productvisible",
  OPTION1_NAME: "option1name optionname1",
  OPTION1_VALUE: "option1value optionvalue1 variationname",
  OPTION2_NAME: "option2name optionname2",
  OPTION2_VALUE: "option2value optionvalue2",
  OPTION3_NAME: "option3name optionname3",
  OPTION3_VALUE: "option3value optionvalue3",
  SKU: "sku variantsku productsku artikelnummer artikelnr artnr artikelno itemnumber itemno itemcode productcode productcodesku stockcode bestellnummer référence reference réf ref codearticle referencia codigo código codice codicearticolo riferimento artikelnummers varenummer артикул",
  BARCODE:
    "barcode variantbarcode gtin gtinupceanorisbn ean ean13 eancode eannummer gtinean upc upcean isbn strichcode codebarres codebarre codebarras códigodebarras codigodebarras codiceabarre codiceean streckkod stregkode штрихкод",
  PRICE:
    "price variantprice regularprice sellingprice salesprice unitprice retailprice verkaufspreis vkpreis vkbrutto vk bruttopreis preisbrutto preisinklmwst preis einzelpreis prixdevente prixttc prixunitaire prix precioventa pvp precio prezzodivendita prezzo preço preco verkoopprijs prijs pris cena цена",
  INVENTORY_QUANTITY:
    "inventoryquantity variantinventoryqty currentstock stock stocklevel stockonhand quantity qty onhand stockquantity quantityonhand bestand lagerbestand lagermenge menge anzahl quantité quantite qté qte quantitéenstock stockdisponible cantidad existencias inventario quantità quantita giacenza quantidade estoque voorraad aantal lagersaldo lager antal ilość stan количество остаток",
  IS_STOCK_TRACKED: "isstocktracked stocktracked trackstock trackinventory managestock bestandsführung lagerführung",
  EMAIL:
    "email emailaddress useremail billingemail customeremail emailadresse mailadresse mail adressemail courriel correoelectronico correoelectrónico correo indirizzoemail emailadres epost",
  FIRST_NAME:
    "firstname givenname billingfirstname vorname prenom prénom voornaam förnamn fornavn imię имя nombre nome name fullname customername kundenname",
  LAST_NAME:
    "lastname surname familyname billinglastname nachname familienname nomdefamille apellido apellidos cognome achternaam efternamn etternavn nazwisko фамилия name nom",
  PHONE:
    "phone phonenumber billingphone defaultaddressphone mobile mobilephone mobilenumber cellphone businessphone homephone primaryphone telephone telefon telefonnummer rufnummer mobil mobiltelefon handy handynummer tel téléphone portable telefono teléfono móvil movil cellulare telefoon telefoonnummer телефон",
  NOTE: "note notes memo comment comments notiz notizen bemerkung anmerkung commentaire remarque nota notas observaciones opmerking",
};

/** Columns of spreadsheets that hold the values of an option. */
const OPTION =
  /^(size|colou?r|material|style|variant|variante|flavou?r|größe|groesse|farbe|sorte|geschmack|taille|couleur|matière|talla|tamaño|colore?|taglia|maat|kleur|storlek|färg|størrelse|farve)$/;

/** Without case, spaces and punctuation: "Option1 Name" is "option1name". */
export function bareName(name: string): string {
  return name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** The bare names of columns, in English for WooCommerce. */
export function namesOfColumns(source: ImportSource, columns: readonly string[]): string[] {
  const bare = columns.map(bareName);
  if (source !== "WOOCOMMERCE") return bare;
  return englishNames(columns, bare) ?? bare;
}

export function recognizeSource(kind: ImportKind, columns: readonly string[]): ImportSource {
  const own = ownColumns[kind];
  const isOwn = (name: string) => own.includes(name) || Object.values(METADATA).some((start) => name.startsWith(start));
  if (columns.length > 1 && columns.every(isOwn)) return "MERCHANT_API";
  const bare = columns.map(bareName);
  const found = signatures[kind].find(([, ...lists]) =>
    lists.some((list) => list.split(" ").every((name) => bare.includes(name))),
  );
  if (!found && kind === "PRODUCTS" && englishNames(columns, bare)) return "WOOCOMMERCE";
  return found?.[0] ?? "OTHER";
}

/** The columns of each field, the best first. */
export function guessMapping(kind: ImportKind, source: ImportSource, columns: readonly string[]): ImportMapping[] {
  const bare = namesOfColumns(source, columns);
  const fields = ownColumns[kind].map(fieldOf);
  const taken = new Set<number>();
  const mapping = fields.flatMap((field) => {
    const found = names[field]!.split(" ")
      .map((name) => ({ field, column: bare.indexOf(name) }))
      .filter(({ column }) => column >= 0 && !taken.has(column))
      // Two columns of stock may be two counts of the same units, and two prices are for other buyers.
      .slice(0, ["INVENTORY_QUANTITY", "PRICE", "FIRST_NAME"].includes(field) ? 1 : undefined);
    for (const { column } of found) taken.add(column);
    return found;
  });
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
