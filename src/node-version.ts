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
    `merchant-api requires Node.js ${LEAST.join(".")} or newer. This is ${version}. ` +
    "Install it from https://nodejs.org/en/download, or use the version that npm ci installs: npm start, npm run merchant-api."
  );
}
