import { Link } from "@tanstack/react-router";
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
  switch (ID.exec(id)?.[1]) {
    case "ord":
      return (
        <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId: id }}>
          {children}
        </Link>
      );
    case "prod":
      return (
        <Link to="/$shopId/products/$productId" params={{ shopId, productId: id }}>
          {children}
        </Link>
      );
    case "cus":
      return (
        <Link to="/$shopId/customers/$customerId" params={{ shopId, customerId: id }}>
          {children}
        </Link>
      );
    case "whe":
      return (
        <Link to="/$shopId/endpoints/$endpointId" params={{ shopId, endpointId: id }}>
          {children}
        </Link>
      );
    case "whd":
      return (
        <Link to="/$shopId/deliveries" params={{ shopId }} search={{ delivery: id }}>
          {children}
        </Link>
      );
    case "evt":
      return (
        <Link to="/$shopId/deliveries" params={{ shopId }} search={{ event: id }}>
          {children}
        </Link>
      );
    case "key":
      return (
        <Link to="/$shopId/keys" params={{ shopId }}>
          {children}
        </Link>
      );
    default:
      return children;
  }
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
