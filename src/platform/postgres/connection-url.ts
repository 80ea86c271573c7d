/**
 * The connection string with these run-time settings for its session, beside those that it has.
 *
 * JIT compilation is off on all connections: every statement here is short, and compiling one that the planner takes
 * for an expensive one costs 300 ms. The PostgreSQL of distributions has it on.
 */
export function withSettings(url: string, settings: Record<string, string> = {}): string {
  const result = new URL(url);
  const flags = Object.entries({ jit: "off", ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  result.searchParams.set("options", [result.searchParams.get("options") ?? "", ...flags].join(" ").trim());
  return result.href;
}
