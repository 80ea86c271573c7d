import { MikroORM } from "@mikro-orm/postgresql";
import { entities } from "../src/core/schema.ts";
import { replaceGenerated } from "./generated-part.ts";

/** The tables that columns refer to, with or without a foreign key. An actor or a target can be in several tables. */
const targets: Record<string, string> = {
  product_id: "products",
  variant_id: "variants",
  customer_id: "customers",
  order_id: "orders",
  item_id: "order_items",
  payment_id: "payments",
  refund_id: "refunds",
  staff_id: "staff",
  event_id: "events",
  delivery_id: "deliveries",
  endpoint_id: "webhook_endpoints",
};

/** Returns docs/decisions/model.md with a diagram of the entities' tables. */
export function insertDiagram(page: string): string {
  const orm = new MikroORM({ dbName: "unused", entities });
  const tables = [...orm.getMetadata().getAll().values()].filter(({ view }) => !view);
  const referring = Object.entries(targets).map(([column, target]) => {
    const from = tables.filter(({ props }) => props.some(({ fieldNames }) => fieldNames?.includes(column)));
    return { from: from.map(({ tableName }) => tableName), target };
  });
  // Nearly every table refers to shops.
  const drawn = new Set(["shops", ...referring.flatMap(({ from, target }) => [...from, target])]);
  const alone = tables.map(({ tableName }) => tableName).filter((name) => !drawn.has(name));
  const lines = referring.map(({ from, target }) => `  ${from.join(" & ")} --> ${target}`);
  return replaceGenerated(
    page,
    `\`\`\`mermaid\nflowchart RL\n${lines.join("\n")}\n\`\`\`\n\nWithout such columns: ${alone.map((name) => `\`${name}\``).join(", ")}.\n`,
  );
}
