/**
 * Adds run-time settings to a connection string.
 *
 * Turns JIT compilation off for all connections: every statement is short, and compiling one that the planner considers
 * expensive takes 300 ms. PostgreSQL packages enable it by default.
 */
export function withSettings(url: string, settings: Record<string, string> = {}): string {
  const result = new URL(url);
  const flags = Object.entries({ jit: "off", ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  result.searchParams.set("options", [result.searchParams.get("options") ?? "", ...flags].join(" ").trim());
  return result.href;
}
