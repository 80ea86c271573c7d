/**
 * A temporary fault of this process or machine that does not involve the receiver: no free file descriptors, failing
 * name servers, a pause.
 */
export class OwnFault extends Error {}

/** Socket errors caused by this machine, whatever the target. */
const codes = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "ENETDOWN", "EADDRNOTAVAIL"]);

/** The error as an own fault. Undefined when the target may have caused it. */
export function ownFaultOf(error: unknown): OwnFault | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && codes.has(code) ? new OwnFault(message, { cause: error }) : undefined;
}
