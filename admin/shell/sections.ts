/** The pages of a shop in the order of the menu. `needs` is the permission without which a page shows nothing. */
export const sections = [
  {
    title: "API credentials",
    pages: [{ to: "/$shopId/keys", title: "API keys", needs: "SETTINGS" }],
  },
] as const;
