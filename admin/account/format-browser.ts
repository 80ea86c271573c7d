import { copy } from "./copy.ts";

/** Most browsers also contain the names of others, so the order matters. */
const browsers = [
  ["Edge", /Edg\w*\/(\d+)/],
  ["Opera", /OPR\/(\d+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /Version\/(\d+).*Safari/],
] as const;
const systems = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/** Formats a user agent, such as "Firefox 140 on Linux". Unknown ones stay as they are. */
export function formatBrowser(userAgent: string | null): string {
  if (!userAgent) return copy.unknown;
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(userAgent)?.[1];
    if (version) return system ? copy.browser(`${name} ${version}`, system) : `${name} ${version}`;
  }
  return userAgent;
}
