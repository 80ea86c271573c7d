/**
 * Bare names of the columns of an export in its order, as in English. "-" is a column that is not read. An export of all
 * columns is read by their positions, because each language translates their names.
 */
const ORDER =
  "id type sku name published - - shortdescription description - - - - instock stock - backordersallowed - - - - - - - - regularprice - - - - - - parent - - - - - -".split(
    " ",
  );
/** The first column of these two is in newer exports alone. */
const AFTER_SKU = /gtin/;

/** The names of the columns that are read in some exports without all columns. */
const translations: Record<string, string> = {
  type: "typ tipo тип soort typen",
  sku: "sku artikelnummer ugs артикул cod symbol artikelnr",
  name: "name nombre nom nome naam namn navn nazwa имя название név jméno",
  published:
    "published veröffentlicht publicado publié publish pubblicato gepubliceerd publicerad udgivet opublikowane опубликован",
  shortdescription:
    "kurzbeschreibung descripcióncorta descriptioncourte descrizionebreve kortebeschrijving descriçãocurta krótkiopis краткоеописание",
  description: "beschreibung descripción descrizione beschrijving descrição opis описание beskrivning",
  instock: "vorrätig existencias enstock disponibile opvoorraad ilager emestoque наличие wmagazynie",
  stock: "bestand lager inventario stock magazzino voorraad estoque magazyn stanmagazynowy запасы lagersaldo",
  regularprice:
    "regulärerpreis normalerpreis precionormal tarifrégulier prixrégulier prezzodilistino reguliereprijs preço preçonormal cenaregularna базоваяцена ordinariepris",
  parent:
    "übergeordnetesprodukt übergeordnet eltern superior padre parent genitore hoofd ascendente nadrzędny родительский överordnad",
};
const english = new Map(
  Object.entries(translations).flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const)),
);

/**
 * The English bare names of the columns of an export in any language, or undefined for another file. "Nombre del
 * atributo 1" and "Valor(es) del atributo 1" are attribute1name and attribute1values.
 */
export function englishNames(columns: readonly string[], bare: readonly string[]): string[] | undefined {
  if (bare[0] !== "id") return undefined;
  const attributes = new Map<number, string>();
  for (const [index, column] of columns.entries()) {
    const [number] = /\d+/.exec(column) ?? [];
    if (number === undefined || !isValues(columns[index + 1], number) || isValues(column, number)) continue;
    attributes.set(index, `attribute${number}name`).set(index + 1, `attribute${number}values`);
  }
  const order = AFTER_SKU.test(bare[3] ?? "") ? ORDER.toSpliced(3, 0, "gtin") : ORDER;
  const [first = 0] = attributes.keys();
  // Newer exports have brands at the end.
  const isWhole = first === order.length || first === order.length + 1;
  const named = bare.map((name, index) => attributes.get(index) ?? (isWhole ? order[index] : english.get(name)) ?? "-");
  named[0] = "id";
  const isExport = isWhole || (named.includes("type") && named.includes("sku") && named.includes("regularprice"));
  return isExport ? named.map((name, index) => (AFTER_SKU.test(bare[index]!) ? "gtin" : name)) : undefined;
}

/** The values of an attribute: its number, and an ending of the plural in parentheses. */
function isValues(column: string | undefined, number: string): boolean {
  return column?.match(/\d+/)?.[0] === number && /\(\p{L}+\)|\(-\p{L}+\)/u.test(column);
}
