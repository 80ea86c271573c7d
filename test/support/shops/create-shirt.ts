import type { World } from "../world.ts";

/** Creates a product with the given sizes. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
export function createShirt(world: World, sizes: string[] = ["S", "M"]): Promise<any> {
  const variants = sizes.map((size) => ({ optionValues: [size], price: "10", sku: `SHIRT-${size}` }));
  return world.run("createProduct", { input: { title: "Shirt", optionNames: ["Size"], variants } });
}
