import { AuditAction } from "../../../core/model/shops/audit-entry.entity.ts";
import type { AccountChange } from "../../../core/notifications/mail-jobs.ts";
import type { Letter } from "../../../platform/mail/letter.ts";
import { formatTime } from "./format-time.ts";

const ALWAYS = "You can't turn off emails about your own account.";

const changes: Record<AccountChange, { subject: string; happened: (time: string) => string }> = {
  PASSWORD_CHANGED: {
    subject: "Your password was changed",
    happened: (time) => `The password of your account was changed at ${time}. You've been logged out everywhere.`,
  },
  [AuditAction.MEMBER_SECOND_FACTOR_ENABLED]: {
    subject: "Two-factor authentication was turned on",
    happened: (time) =>
      `Two-factor authentication was turned on for your account at ${time}. You now need a code to log in.`,
  },
  [AuditAction.MEMBER_SECOND_FACTOR_DISABLED]: {
    subject: "Two-factor authentication was turned off",
    happened: (time) =>
      `Two-factor authentication was turned off for your account at ${time}. You now log in with your password only.`,
  },
  [AuditAction.MEMBER_RECOVERY_CODE_USED]: {
    subject: "A recovery code was used",
    happened: (time) =>
      `A recovery code of your account was used at ${time} instead of a code from your authenticator app.`,
  },
  [AuditAction.MEMBER_RECOVERY_CODES_REPLACED]: {
    subject: "Your recovery codes were replaced",
    happened: (time) =>
      `New recovery codes were created for your account at ${time}. The previous codes no longer work.`,
  },
};

/** Reports a change of an account, with a link to reset the password. */
export function accountLetter(change: AccountChange, at: Date, baseUrl: string): Letter {
  const { subject, happened } = changes[change];
  const advice = "If this wasn't you, reset your password immediately and contact an owner of your shop.";
  return {
    subject,
    paragraphs: [`${happened(formatTime(at))} ${advice}`],
    link: { label: "Reset your password", url: `${baseUrl}/admin/reset` },
    footer: ALWAYS,
  };
}

/** Contains the link to reset a password. */
export function resetLetter(token: string, baseUrl: string): Letter {
  return {
    subject: "Reset your password",
    paragraphs: [
      "We received a request to reset the password of your account. To set a new password, use this link. It works once and expires in 30 minutes.",
      "If this wasn't you, ignore this email. Your password won't change.",
    ],
    link: { label: "Set a new password", url: `${baseUrl}/admin/reset#${token}` },
    footer: ALWAYS,
  };
}
