import { AuditAction } from "../../../core/model/shops/audit-entry.entity.ts";
import type { AccountChange } from "../../../core/notifications/mail-jobs.sql.ts";
import type { Letter } from "../../../platform/mail/letter.ts";
import { formatTime } from "./format-time.ts";

const ALWAYS = "Mails about your own account cannot be switched off.";

const changes: Record<AccountChange, { subject: string; happened: (time: string) => string }> = {
  PASSWORD_CHANGED: {
    subject: "Your password was changed",
    happened: (time) => `The password of your account was changed at ${time}, and every session has ended.`,
  },
  [AuditAction.MEMBER_SECOND_FACTOR_ENABLED]: {
    subject: "Your second factor was turned on",
    happened: (time) => `A second factor was turned on for your account at ${time}. Logging in takes its codes now.`,
  },
  [AuditAction.MEMBER_SECOND_FACTOR_DISABLED]: {
    subject: "Your second factor was turned off",
    happened: (time) => `The second factor of your account was turned off at ${time}. The password alone logs in now.`,
  },
  [AuditAction.MEMBER_RECOVERY_CODE_USED]: {
    subject: "A recovery code of yours was used",
    happened: (time) => `A recovery code of your account was used at ${time}, in the place of its second factor.`,
  },
  [AuditAction.MEMBER_RECOVERY_CODES_REPLACED]: {
    subject: "Your recovery codes were replaced",
    happened: (time) => `New recovery codes were made for your account at ${time}. Those before are void.`,
  },
};

/** Reports a change of somebody's account, with a link to reset the password. */
export function accountLetter(change: AccountChange, at: Date, baseUrl: string): Letter {
  const { subject, happened } = changes[change];
  const advice = "If that was not you, reset your password at once, and tell an owner of your shop.";
  return {
    subject,
    paragraphs: [`${happened(formatTime(at))} ${advice}`],
    link: { label: "Reset your password", url: `${baseUrl}/admin/reset` },
    footer: ALWAYS,
  };
}

/** Brings the token that resets a password. */
export function resetLetter(token: string, baseUrl: string): Letter {
  return {
    subject: "Set a new password",
    paragraphs: [
      "Somebody, perhaps you, asked to set a new password for your account. Set it with this link, which works once, within 30 minutes.",
      "If it was not you, ignore this mail: your password stays as it is.",
    ],
    link: { label: "Set a new password", url: `${baseUrl}/admin/reset#${token}` },
    footer: ALWAYS,
  };
}
