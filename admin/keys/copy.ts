/** Texts of the API keys page. */
export const copy = {
  title: "API keys",
  description: "Authenticate requests to the REST API. Keep keys on your servers, never in a browser or an app.",
  create: "Create key",
  quota: "API keys",
  limitReached:
    "You’ve reached your plan’s limit. Revoke a key you no longer use, or contact your administrator to change your plan.",
  safeToRevoke: "Safe to revoke",
  empty: { title: "No API keys yet", text: "Create a key to give one of your servers access to the shop’s data." },
  noMatch: "No API keys with this status",

  createTitle: "Create API key",
  name: "Name",
  nameHint: "Where you’ll use the key, such as “ERP connector”.",
  emptyFields: { name: "Enter a name", scopes: "Choose what the key can access" },
  accessHint: "Your plan doesn’t include the disabled options.",
  created: (name: string) => `${name} created`,
  secretHint:
    "Copy the key to your server. Anyone with the key can use its access, so never put it in a browser or an app.",

  example: {
    title: "Send your first request",
    copy: "Copy the request",
    reference: "API reference",
  },

  rotate: "Rotate",
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateText: "Creates a new key with the same access.",
  rotateSubmit: "Rotate key",
  rotated: (name: string) => `${name} rotated`,
  oldKey: "Old key expires",
  oldKeyHint: "Until then, both keys work.",

  renamed: "Key renamed",
  revoke: "Revoke key",
  revoked: "Key revoked",
};
