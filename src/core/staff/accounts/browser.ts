import type { EntityManager } from "@mikro-orm/postgresql";
import type { Encryption } from "../../../platform/encryption.ts";
import type { Origin } from "../../context.ts";
import type { SecurityEvent } from "./security-log.ts";

/** What is needed to check accounts and their second factors. */
export interface AccountServices {
  em: EntityManager;
  encryption: Encryption;
}

/** The origin of a password attempt, which distinguishes clients. */
export interface Browser {
  origin: Origin;
  /** The tokens in the browser's cookies. */
  sessionToken: string | undefined;
  deviceToken: string | undefined;
  /** Logs the result of a password attempt from there. */
  report: (event: SecurityEvent, email: string) => void;
}
