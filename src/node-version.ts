/** The oldest Node that has everything imported here: argon2 in `node:crypto`. Also in package.json, as `engines`. */
const LEAST = [24, 7] as const;

/**
 * Explains that this Node is too old, which version is required and how to get it. Undefined when it is recent enough.
 */
export function findNodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = LEAST;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return (
    `merchant-api needs Node.js ${LEAST.join(".")} or newer, and this is ${version}. ` +
    "Get it from https://nodejs.org/en/download, or use the one of npm ci: npm start, npm run merchant-api."
  );
}
