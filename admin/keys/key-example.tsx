import { Text } from "../deliveries/attempt.tsx";
import { CopyButton } from "../ui/values/copy-button.tsx";
import type { ApiScope } from "./key-queries.ts";
import styles from "./keys.module.css";
import { copy } from "./copy.ts";

/** Paths that a key can read, by the scope for it. */
const paths: [ApiScope, string][] = [
  ["READ_PRODUCTS", "products"],
  ["READ_ORDERS", "orders"],
  ["READ_CUSTOMERS", "customers"],
];

interface KeyExampleProps {
  shopId: string;
  secret: string;
  scopes: readonly ApiScope[];
}

/** A request with a new key, and the way to the reference. */
export function KeyExample({ shopId, secret, scopes }: KeyExampleProps) {
  const path = paths.find(([scope]) => scopes.includes(scope))?.[1];
  const url = `${location.origin}/api/v1/${shopId}/${path}?limit=1`;
  const command = `curl "${url}" \\\n  -H "Authorization: Bearer ${secret}"`;
  return (
    <div className={styles.example}>
      {path && (
        <>
          <div className={styles.head}>
            <h3>{copy.example.title}</h3>
            <CopyButton text={command} label={copy.example.copy} />
          </div>
          <Text label={copy.example.title}>{command}</Text>
        </>
      )}
      <p>
        <a href={`/docs?shop=${shopId}`} target="_blank" rel="noreferrer">
          {copy.example.reference}
        </a>
      </p>
    </div>
  );
}
