import type { EntityManager } from "@mikro-orm/postgresql";
import type { Encryption } from "../../../platform/encryption.ts";
import type { Origin } from "../../context.ts";
import type { SecurityEvent } from "../security-log.ts";

/** The means to look at accounts and their second factors. */
export interface AccountServices {
  em: EntityManager;
  encryption: Encryption;
}

/** The place where a password was typed, which tells one guesser from another. */
export interface Browser {
  origin: Origin;
  /** The tokens in its cookies. */
  sessionToken: string | undefined;
  deviceToken: string | undefined;
  /** Tells the log what became of a password that was typed there. */
  report: (event: SecurityEvent, email: string) => void;
}
