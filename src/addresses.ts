import type { Config } from "./config.ts";
import type { ListenAddress } from "./platform/http/listen.ts";

export const apiAddress = ({ host, port }: Pick<Config, "host" | "port">): ListenAddress => ({
  host,
  port,
  variables: { host: "HOST", port: "PORT" },
});

export const healthAddress = (host: string, port: number): ListenAddress => ({
  host,
  port,
  variables: { host: "HOST", port: "HEALTH_PORT" },
});

export const metricsAddress = (at: { host: string; port: number }): ListenAddress => ({
  ...at,
  variables: { host: "METRICS_HOST", port: "METRICS_PORT" },
});
