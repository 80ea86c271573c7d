import type { Config } from "../config.ts";
import { isLoopbackHost } from "../core/webhooks/endpoints/target-url.ts";
import { ok, warning, type Finding } from "./check.ts";

/** Finds settings that contradict each other or fit development alone. Also printed at each start. */
export function checkSettings(config: Config): Finding[] {
  const { baseUrl, host, trustedProxies, webhooksAllowLoopback } = config;
  const isSecure = baseUrl.startsWith("https:");
  const isLocal = isLoopbackHost(new URL(baseUrl).hostname.replace(/^\[(.*)\]$/, "$1"));
  const findings = checkMail(config);
  if (isSecure && trustedProxies === 0) {
    const finding = "BASE_URL is https, so a proxy is in front, but TRUSTED_PROXIES is 0: all clients count as one";
    findings.push(warning(finding, "Set TRUSTED_PROXIES to the number of proxies"));
  }
  if (isSecure && webhooksAllowLoopback) {
    findings.push(warning("WEBHOOKS_ALLOW_LOOPBACK lets shops send webhooks to this machine", "Remove it"));
  }
  if (isLocal && (trustedProxies > 0 || !isLoopbackHost(host))) {
    findings.push(warning(`BASE_URL is ${baseUrl}, which works on this machine only`, "Set it to the public address"));
  }
  if (!isLocal && !isSecure) {
    findings.push(warning("BASE_URL is http, so passwords and keys travel unencrypted", "Use a proxy with TLS"));
  }
  return findings;
}

function checkMail({ mail, database }: Config): Finding[] {
  const remedy = "Set SMTP_URL and MAIL_FROM";
  if (!mail) return [warning("No email is sent, because SMTP_URL is not set", remedy)];
  if (mail.kind === "smtp") return [];
  const finding = `Emails are written to ${mail.directory}`;
  return [database.kind === "embedded" ? ok(finding) : warning(finding, remedy)];
}
