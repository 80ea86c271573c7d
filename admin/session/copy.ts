/** Texts of the login, password reset and invitation pages. */
export const copy = {
  product: "Merchant API",
  email: "Email",
  password: "Password",
  newPassword: "New password",
  passwordHint: "At least 12 characters.",

  code: {
    label: "Authentication code",
    hint: "Enter the code from your authenticator app, or a recovery code.",
  },

  login: { title: "Log in", submit: "Log in", forgot: "Forgot your password?" },

  reset: {
    title: "Reset your password",
    text: "Enter your email to get a link to reset your password.",
    submit: "Send link",
    sentTitle: "Check your email",
    sent: (email: string) =>
      `If ${email} has an account, a link to reset the password is on its way. The link expires in 30 minutes.`,
    back: "Back to login",
    newTitle: "Set a new password",
    newHint: "At least 12 characters. You’ll be logged out everywhere.",
    newSubmit: "Set password",
    doneTitle: "Password changed",
    done: "You’ve been logged out everywhere. Log in with your new password.",
    invalidTitle: "This link isn’t valid",
    invalid: "It was already used, or it’s more than 30 minutes old.",
    requestAnother: "Request a new link",
  },

  join: {
    title: (shop: string) => `Join ${shop}`,
    invitation: "You’re invited to join as {role}. {description} The invitation expires {time}.",
    existingPassword: "Your password",
    existingHint: "You already have an account with this email.",
    invalidTitle: "This invitation isn’t valid",
    invalid: "It may have expired, been revoked or been used, or the link is incomplete. Ask for a new invitation.",
  },

  wrongAddress: {
    title: (baseUrl: string) => `Open Admin at ${baseUrl}`,
    text: (origin: string) => `You opened Admin at ${origin}. It only works at the server’s public address (BASE_URL).`,
    open: (baseUrl: string) => `Open ${baseUrl}`,
  },
};
