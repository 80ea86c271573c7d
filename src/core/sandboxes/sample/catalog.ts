// The demo shop's products. A product is an item in a style and a color, and its variants are the item's options.

const styles = ["Stoneware", "Linen", "Oak", "Enamel", "Wool", "Brass", "Glass", "Cotton", "Walnut", "Slate"];
const colors = ["Sand", "Moss", "Ink", "Clay", "Fog", "Rust"];

interface Kind {
  name: string;
  /** The options in which its variants differ. */
  option: string;
  options: readonly string[];
  /** Lowest price in cents. */
  from: number;
}

const kinds: readonly Kind[] = [
  { name: "Mug", option: "Volume", options: ["250 ml", "350 ml"], from: 1_250 },
  { name: "Apron", option: "Size", options: ["S", "M", "L"], from: 3_900 },
  { name: "Tray", option: "Size", options: ["Small", "Large"], from: 2_800 },
  { name: "Blanket", option: "Size", options: ["130 × 170 cm", "150 × 200 cm"], from: 7_900 },
  { name: "Lamp", option: "Form", options: ["Table", "Floor"], from: 11_900 },
  { name: "Vase", option: "Height", options: ["12 cm", "20 cm", "30 cm"], from: 2_400 },
  { name: "Notebook", option: "Paper", options: ["A5 ruled", "A5 plain", "A4 ruled"], from: 1_100 },
];

export interface CatalogProduct {
  title: string;
  description: string;
  optionNames: string[];
  variants: {
    title: string;
    optionValues: string[];
    sku: string;
    barcode: string;
    cents: number;
    inventoryQuantity: number;
  }[];
}

/** Makes hundreds of products with two or three variants each. The same `random` gives the same products. */
export function makeCatalog(random: () => number): CatalogProduct[] {
  let number = 0;
  return styles.flatMap((style) =>
    colors.flatMap((color) =>
      kinds.map(({ name, option, options, from }) => {
        number += 1;
        const code = `${style.slice(0, 2)}${name.slice(0, 2)}-${String(number).padStart(3, "0")}`.toUpperCase();
        const base = from + Math.floor(random() * 12) * 50;
        return {
          title: `${style} ${name} in ${color}`,
          description: `${name} of our ${style.toLowerCase()} line, in ${color.toLowerCase()}.`,
          optionNames: [option],
          variants: options.map((value, index) => ({
            title: value,
            optionValues: [value],
            sku: `${code}-${index + 1}`,
            barcode: ean13(400_638_000_000 + number * 10 + index),
            cents: base + index * Math.round(base * 0.3),
            inventoryQuantity: Math.floor(random() * 120),
          })),
        };
      }),
    ),
  );
}

/** Twelve digits with their check digit (GS1 General Specifications, section 7.9). */
function ean13(twelve: number): string {
  const digits = [...String(twelve)].map(Number);
  const sum = digits.reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}
