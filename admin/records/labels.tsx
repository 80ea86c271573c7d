import { roleNames } from "../copy.ts";
import { useShop, type Permission } from "../queries.ts";
import { Breakable } from "../ui/sentence.tsx";
import text from "../ui/text.module.css";
import { Time } from "../ui/values/time.tsx";
import { copy } from "./copy.ts";

/** True for the title of the only variant of a product without options. */
export const isDefault = (variantTitle: string | null) => variantTitle === "Default Title";

export const labelVariant = (title: string) => (isDefault(title) ? copy.defaultVariant : title);

/** The product's title, with the variant's if the product has options. */
export const labelItem = (productTitle: string, variantTitle: string) =>
  isDefault(variantTitle) ? productTitle : `${productTitle} · ${variantTitle}`;

/** The customer's name, or the email address if there is none. */
export const labelCustomer = ({ firstName, lastName, email }: { firstName: string; lastName: string; email: string }) =>
  `${firstName} ${lastName}`.trim() || email;

/** The name of the person, service or key that made a change; nothing when it is unknown. */
export function By({ name }: { name: string | null }) {
  return (
    name && (
      <span className={text.small}>
        <Breakable text={copy.by(name)} />
      </span>
    )
  );
}

/** The column for the time of a change, and who made it. */
export const changeColumn = (title: string) => ({
  title,
  cell: ({ createdAt, actorName }: { createdAt: string; actorName: string | null }) => (
    <>
      <Time value={createdAt} /> <By name={actorName} />
    </>
  ),
});

/** Explains why the page is read-only for the viewer's role. */
export function ReadOnly({ needs, noun }: { needs: Permission; noun: string }) {
  const { can, role } = useShop();
  if (can(needs) || !role) return null;
  return <p>{copy.readOnly(roleNames[role].toLowerCase(), noun)}</p>;
}
