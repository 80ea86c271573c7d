/** Texts of the service tokens page. */
export const copy = {
  title: "Service tokens",
  description: "Authenticate your own services to the GraphQL API, such as tills and storefronts.",
  create: "Create token",
  empty: {
    title: "No service tokens yet",
    text: "Create a token to give one of your services access to this shop’s data.",
  },
  noMatch: "No service tokens with this status",

  createTitle: "Create service token",
  name: "Name",
  nameHint: "The service that will use the token, such as “Till 3”.",
  emptyFields: { name: "Enter a name", permissions: "Choose what the token can access" },
  accessHint: "Orders include customers’ names and email addresses. Service tokens can’t access settings.",
  created: (name: string) => `${name} created`,
  secretHint: "Copy the token to your service. The service sends it to /graphql as Authorization: Bearer.",

  renamed: "Token renamed",
  revoke: "Revoke token",
  revoked: "Token revoked",
};
