import { Link, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useShop } from "../queries.ts";
import { CopyButton } from "../ui/values/copy-button.tsx";
import { copy } from "./copy.ts";

const ID = /^([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** True for the text of an ID. */
export const isId = (text: string) => ID.test(text);

/** A link to the page of the record with this ID. Plain text for records without a page. */
export function RecordLink({ id, children }: { id: string; children: ReactNode }) {
  const { id: shopId } = useShop();
  const links = {
    ord: linkOptions({ to: "/$shopId/orders/$orderId", params: { shopId, orderId: id } }),
    prod: linkOptions({ to: "/$shopId/products/$productId", params: { shopId, productId: id } }),
    cus: linkOptions({ to: "/$shopId/customers/$customerId", params: { shopId, customerId: id } }),
    whe: linkOptions({ to: "/$shopId/endpoints/$endpointId", params: { shopId, endpointId: id } }),
    whd: linkOptions({ to: "/$shopId/deliveries", params: { shopId }, search: { delivery: id } }),
    evt: linkOptions({ to: "/$shopId/deliveries", params: { shopId }, search: { event: id } }),
    key: linkOptions({ to: "/$shopId/keys/$keyId", params: { shopId, keyId: id } }),
  };
  const link = links[ID.exec(id)?.[1] as keyof typeof links];
  return link ? <Link {...link}>{children}</Link> : children;
}

/** An ID that leads to its record and can be copied. */
export const IdLink = ({ id }: { id: string }) => (
  <>
    <RecordLink id={id}>
      <code>{id}</code>
    </RecordLink>
    <CopyButton text={id} label={copy.copyId} />
  </>
);
