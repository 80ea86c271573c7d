import { newId } from "../../model/ids.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import type { Topic, TopicData } from "../../model/webhooks/topics.ts";

const order = () => ({ orderId: newId("ord"), orderNumber: "1001" });
const changedOrder = () => ({ ...order(), version: 2 });
const product = () => ({ productId: newId("prod"), handle: "sample-product", version: 1 });
const customer = () => ({ customerId: newId("cus"), version: 1 });

const samples: { [Name in Topic]: (shop: Pick<Shop, "currency">) => TopicData<Name> } = {
  "order.created": order,
  "order.updated": changedOrder,
  "order.paid": changedOrder,
  "order.cancelled": changedOrder,
  "order.refunded": ({ currency }) => ({ ...changedOrder(), refundId: newId("ref"), amount: 10, currency }),
  "product.created": product,
  "product.updated": product,
  "product.deleted": product,
  "customer.created": customer,
  "customer.updated": customer,
};

/** Sample data of an event with this topic in this shop. Its ids match no record. */
export function sampleData<Name extends Topic>(topic: Name, shop: Pick<Shop, "currency">): TopicData<Name> {
  return samples[topic](shop);
}
