import { CopyButton } from "../ui/values/copy-button.tsx";
import { RawText } from "../ui/values/raw-text.tsx";
import type { ApiScope } from "./credential-queries.ts";
import styles from "./credentials.module.css";
import { keys as copy } from "./copy.ts";

/** Paths that a key can read, by the scope for it. */
const paths: [ApiScope, string][] = [
  ["READ_PRODUCTS", "products"],
  ["READ_ORDERS", "orders"],
  ["READ_CUSTOMERS", "customers"],
];

/** A product that no customer sees. */
const DRAFT = JSON.stringify({ title: "Test product", price: 1, status: "DRAFT" });

export interface KeyExampleProps {
  shopId: string;
  secret: string;
  scopes: readonly string[];
}

/** A request with a new key, and the way to the reference. */
export function KeyExample({ shopId, secret, scopes }: KeyExampleProps) {
  const command = exampleRequest(`${location.origin}/api/v1/${shopId}`, secret, scopes);
  return (
    <div className={styles.example}>
      {command && (
        <>
          <div className={styles.head}>
            <h3>{copy.example.title}</h3>
            <CopyButton text={command} label={copy.example.copy} />
          </div>
          <RawText label={copy.example.title}>{command}</RawText>
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

/** A request that the scopes allow, or undefined if there is none. */
function exampleRequest(url: string, secret: string, scopes: readonly string[]): string | undefined {
  const authorization = `-H "Authorization: Bearer ${secret}"`;
  const path = paths.find(([scope]) => scopes.includes(scope))?.[1];
  if (path) return `curl "${url}/${path}?limit=1" \\\n  ${authorization}`;
  if (!scopes.includes("WRITE_PRODUCTS")) return undefined;
  const parts = [
    `curl -X POST "${url}/products"`,
    authorization,
    '-H "Content-Type: application/json"',
    `-d '${DRAFT}'`,
  ];
  return parts.join(" \\\n  ");
}
