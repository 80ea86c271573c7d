import { getSystemErrorMessage } from "node:util";

/** Returns true for an error of the operating system, about a file, an address or a connection. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "errno" in error && typeof error.errno === "number" && "syscall" in error;
}

/** Verbs for system calls with other names. */
const verbs: Record<string, string> = { mkdir: "make", scandir: "read", getaddrinfo: "resolve" };

/** Describes a system error in one sentence, such as "Cannot open shop.jsonl: file already exists". */
export function describeSystemError(
  error: NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number },
): string {
  const { syscall = "go on", path, hostname, address, port, errno } = error;
  const place = path ?? hostname ?? (port === undefined ? address : `${address}:${port}`);
  const doing = verbs[syscall] ?? syscall;
  return `Cannot ${place === undefined ? doing : `${doing} ${place}`}: ${getSystemErrorMessage(errno!)}`;
}
