import { randomBytes } from "node:crypto";
import type { AppConfig } from "../../src/app.ts";

/** A development configuration on a free port. */
export function testConfig(databaseUrl: string): AppConfig {
  return {
    databaseUrl,
    databasePoolSize: 10,
    host: "127.0.0.1",
    port: 0,
    shutdownDelay: 0,
    baseUrl: "http://127.0.0.1:4000",
    trustedProxies: 0,
    graphqlIntrospection: true,
    webhooksAllowLoopback: true,
    egress: {},
    mail: undefined,
    encryptionKeys: [{ name: "test", key: randomBytes(32) }],
  };
}
