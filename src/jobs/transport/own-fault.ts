/**
 * A passing fault of this process or its machine, for which an attempt says nothing about its receiver: no file descriptors
 * left, name servers that do not answer, a pause.
 */
export class OwnFault extends Error {}

/** Errors of a socket that this machine lacks something for, whatever the target is. */
const codes = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "ENETDOWN", "EADDRNOTAVAIL"]);

/** The error as an own fault; undefined when it may be the target's. */
export function ownFaultOf(error: unknown): OwnFault | undefined {
  const { code, message } = error as NodeJS.ErrnoException;
  return code !== undefined && codes.has(code) ? new OwnFault(message, { cause: error }) : undefined;
}
