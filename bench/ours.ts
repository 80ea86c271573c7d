import { randomBytes } from "node:crypto";
import { createApp } from "../src/app.ts";
import { createLogger } from "../src/platform/logger.ts";
import { POOL_SIZE } from "./settings.ts";
import { announce } from "./servers.ts";

// The API as `merchant-api api` runs it in production, log level included.
const app = createApp(
  {
    databaseUrl: process.env.DATABASE_URL!,
    databasePoolSize: POOL_SIZE,
    host: "127.0.0.1",
    port: 0,
    baseUrl: "http://127.0.0.1",
    graphqlIntrospection: false,
    trustedProxies: 0,
    webhooksAllowLoopback: false,
    encryptionKeys: [{ name: "bench", key: randomBytes(32) }],
  },
  createLogger("info"),
);
const { port } = await app.startApi();
announce(port);
