import { z } from "zod";

/** A server with its credentials. */
export interface ServerUrl {
  /** With a colon, as in `http:`. */
  protocol: string;
  host: string;
  /** Undefined for the protocol's default. */
  port: number | undefined;
  auth: { user: string; pass: string } | undefined;
}

/** The way to webhook receivers. */
export interface Egress {
  proxy?: ServerUrl | undefined;
  /** Trusted in addition to the default authorities. PEM. */
  authorities?: string[] | undefined;
}

/** Parses a URL without a path, with percent-encoded user and password. */
export const serverUrl = (protocol: RegExp, error: string) =>
  z.url({ protocol, error }).transform((text, context): ServerUrl => {
    const { protocol: scheme, hostname, port, username, password, pathname, search, hash } = new URL(text);
    const [user, pass] = [decode(username), decode(password)];
    const isMore = search !== "" || hash !== "" || !["", "/"].includes(pathname);
    if (hostname === "" || isMore || user === undefined || pass === undefined) {
      context.addIssue({ code: "custom", message: error });
      return z.NEVER;
    }
    return {
      protocol: scheme,
      host: hostname.replace(/^\[(.*)\]$/, "$1"),
      port: port === "" ? undefined : Number(port),
      auth: user === "" ? undefined : { user, pass },
    };
  });

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
