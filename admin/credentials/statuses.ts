import { optionsOf } from "../ui/forms/options.ts";
import { copy } from "./copy.ts";

export type CredentialStatus = keyof typeof copy.statuses;

/** The statuses of an API key or a service token, as options. */
export const statuses = optionsOf<CredentialStatus>(copy.statuses);
