import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { NodemailerError } from "nodemailer";
import { Agent, request } from "undici";
import { ErrorClass } from "../core/model/webhooks/error-class.ts";
import { isLoopbackHost } from "../core/webhooks/endpoints/target-url.ts";
import type { Transport } from "../jobs/transport/create-transport.ts";
import type { Encryption } from "../platform/encryption.ts";
import { createSmtpTransport } from "../platform/mail/mailer.ts";
import type { SmtpServer } from "../platform/mail/mail-settings.ts";
import { version } from "../platform/version.ts";
import { DOCTOR, type Sight } from "./health-check.ts";
import { error, messageOf, warning, type Finding } from "./check.ts";

/** A certificate that ends sooner should have been renewed. Milliseconds. */
const SOON = 14 * 86_400_000;
/** Milliseconds. */
const TIMEOUT = 5_000;
/** An address for documentation (RFC 5737), which no client has. */
const FORGED = "203.0.113.1";

/** Connects and logs in at the mail server. */
export async function checkSmtp(server: SmtpServer): Promise<Finding[]> {
  const keeper = keepCertificates();
  try {
    await createSmtpTransport(server, keeper).verify();
  } catch (reason) {
    const { response = speaksPlainText(reason) ? "it speaks smtp, not smtps" : messageOf(reason) } =
      reason as NodemailerError;
    return [error(`The mail server failed: ${response}`, "Check SMTP_URL")];
  }
  if (keeper.kept.length > 0 || isLoopbackHost(server.host)) return findEnding("the mail server", keeper.kept);
  return [warning("The mail server offers no TLS, so emails travel unencrypted", "Enable STARTTLS, or use smtps://")];
}

/** Reaches a public address as deliveries do. */
export async function checkEgress(transport: Transport, url = "https://example.com/"): Promise<Finding[]> {
  // A fault of this machine is thrown.
  const fault = (reason: unknown) => ({ errorClass: undefined, error: messageOf(reason) });
  const { errorClass, error: reason } = await transport.post(url, {}, "").catch(fault);
  if (errorClass === null || errorClass === ErrorClass.HTTP_STATUS) return [];
  const remedy = "Check the name servers, and let workers connect to port 443 of public addresses";
  return [error(`Webhooks cannot reach ${url}: ${reason}`, remedy)];
}

/** Requests BASE_URL, and finds that it leads elsewhere or that the process there mistakes the client's address. */
export async function checkBaseUrl(baseUrl: string, encryption: Encryption, database: string): Promise<Finding[]> {
  const headers = { [DOCTOR]: encryption.seal(database, DOCTOR), "X-Forwarded-For": FORGED };
  const keeper = keepCertificates();
  const dispatcher = new Agent({ connect: { timeout: TIMEOUT, ...keeper }, maxResponseSize: 65_536 });
  try {
    const answer = await request(`${baseUrl}/livez`, { dispatcher, headers, signal: AbortSignal.timeout(TIMEOUT) });
    const body = Object(await answer.body.json().catch(() => undefined)) as { version?: string; seen?: Sight };
    const { location } = answer.headers;
    if (answer.statusCode >= 500) throw new Error(`the proxy answers ${answer.statusCode}`);
    if (location) return [error(`BASE_URL redirects to ${location}`, "Set BASE_URL to the address that clients use")];
    if (!body.seen) return [error("BASE_URL leads to another service or database", "Check BASE_URL and its proxy")];
    const findings = [...findEnding("BASE_URL", keeper.kept), ...checkProxies(body.seen)];
    if (body.version === version) return findings;
    return [...findings, warning(`BASE_URL serves version ${body.version}, not ${version}`, "Finish the upgrade")];
  } catch (reason) {
    const remedy = "Start the API, and check the name, certificate and proxy of BASE_URL";
    const message = speaksPlainText(reason) ? "it speaks http, not https" : messageOf(reason);
    return [error(`BASE_URL cannot be reached from here: ${message}`, remedy)];
  } finally {
    await dispatcher.destroy();
  }
}

/** True if a server answered a TLS handshake in plain text. OpenSSL names only the bytes that it expected. */
const speaksPlainText = (reason: unknown) => messageOf(reason).includes("wrong version number");

function checkProxies({ address, forwardedFor, trustedProxies: trusted }: Sight): Finding[] {
  // Proxies write their entries behind ours, or instead of it.
  const proxies = forwardedFor.length - 1 - forwardedFor.lastIndexOf(FORGED);
  if (proxies === trusted && address !== FORGED) return [];
  const effect = proxies < trusted ? "clients can fake their address" : "all clients count as one";
  const finding = `TRUSTED_PROXIES is ${trusted}, but ${proxies} proxies add to X-Forwarded-For: ${effect}`;
  return [error(finding, `Set TRUSTED_PROXIES to ${proxies}`)];
}

/** Options for TLS that keep the certificates of servers. */
function keepCertificates() {
  const kept: PeerCertificate[] = [];
  const keep = (host: string, certificate: PeerCertificate) => {
    kept.push(certificate);
    return checkServerIdentity(host, certificate);
  };
  return { kept, checkServerIdentity: keep };
}

function findEnding(name: string, certificates: readonly PeerCertificate[]): Finding[] {
  const ending = certificates.filter((certificate) => Date.parse(certificate.valid_to) < Date.now() + SOON);
  return ending.map(({ valid_to: end }) => warning(`The certificate of ${name} ends on ${end}`, "Renew it"));
}
