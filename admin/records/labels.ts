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
