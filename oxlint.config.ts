import { defineConfig, type OxlintOverride } from "oxlint";

/**
 * The floors of each folder with subfolders, from the bottom. A file imports from its own folder and from lower floors,
 * and a file beside folders also from files on its floor. `*` stands for names that are not listed.
 */
const floors = {
  ".": "package.json, schema.introspection.d.ts, migrations, docs < src < admin",
  src: "platform, node-version.ts < admin < reference, core, config.ts < middleware, jobs, demo, database.ts < rest, graphql, developer < health, mcp, http.ts < api.ts < app.ts < cli < main.ts",
  admin:
    "copy.ts, clock.ts, style.css < request.ts, docs < queries.ts, ui < session, records < shell < credentials, deliveries, members, orders, stock, settings, audit < account, customers, products, endpoints, requests < imports, home < routes.tsx < main.tsx",
  "admin/orders": "* < new",
  "admin/ui": "* < values < page.tsx, states.tsx < forms < dialogs",
  "src/cli": "* < commands < program",
  "src/core":
    "model < context.ts, validation, csv < queries, mutations < cluster < access, idempotency < audit, notifications < shops < staff, credentials < webhooks, requests < customers, products < stock < orders < imports < exports, moves, privacy < sandboxes < gateway.ts, schema.ts",
  "src/core/credentials": "* < api-keys, service-tokens",
  "src/core/customers": "* < store-credit",
  "src/core/imports": "formats < importers, change-import.ts, import.inputs.ts, import-jobs.sql.ts < check < *",
  "src/core/model":
    "* < notifications < requests, shops, staff < permissions.ts < webhooks, credentials, customers, products < orders, imports < tables.ts",
  "src/core/moves": "* < file, live",
  "src/core/orders":
    "* < changes < payments < create-order-schema.ts, quote-order.ts, create-order.ts, order.resolver.ts, order-mutations.resolver.ts",
  "src/core/products": "* < edits < variants < product.resolver.ts, product-bulk.resolver.ts",
  "src/core/sandboxes": "sample < *",
  "src/core/shops": "* < plans < summarize-shop.ts",
  "src/core/staff": "accounts < second-factor, sessions, throttle < invitations < flows, members < *",
  "src/core/webhooks": "jobs < endpoints < events, replays < health < deliveries < checks, pulling < *",
  "src/graphql": "* < limits < server.ts",
  "src/jobs":
    "* < transport < mail, retention, sending < telemetry.ts, delivery-services.ts, start-runner.ts, job-runner.ts, worker.ts",
  "src/jobs/sending": "* < health < record-attempts.sql.ts, send-webhooks.ts",
  "src/platform": "* < telemetry < http, mail, postgres < overload",
  "src/platform/postgres": "driver < *",
  "src/reference": "* < pages < serve-reference.ts",
};

function forbid(group: string[], message: string): OxlintOverride["rules"] {
  return { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] };
}

export default defineConfig({
  plugins: ["typescript", "unicorn", "import", "node", "promise", "oxc"],
  jsPlugins: ["./lint/floors.ts"],
  categories: {
    correctness: "error",
    suspicious: "error",
    perf: "error",
  },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "import/no-duplicates": "error",
    "typescript/no-explicit-any": "error",
    "typescript/consistent-type-imports": "error",
    "eslint/max-lines": [
      "error",
      {
        max: 300,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    "eslint/max-lines-per-function": [
      "error",
      {
        max: 60,
        skipBlankLines: true,
        skipComments: true,
      },
    ],
    "eslint/no-await-in-loop": "off",
    "eslint/no-underscore-dangle": "off",
    "typescript/no-extraneous-class": "off",
    "import/no-unassigned-import": "off",
    "import/no-named-as-default": "off",
    "import/no-named-as-default-member": "off",
    "promise/no-promise-in-callback": "off",
    "promise/always-return": "off",
    "oxc/no-map-spread": "off",
    "unicorn/consistent-function-scoping": "off",
    "eslint/no-unused-vars": [
      "error",
      {
        argsIgnorePattern: "^_",
        varsIgnorePattern: "^_",
        ignoreRestSiblings: true,
      },
    ],
  },
  ignorePatterns: ["dist", "schema.introspection.d.ts"],
  overrides: [
    {
      files: ["src/**"],
      rules: {
        "house/floors": ["error", floors],
        "no-restricted-properties": [
          "error",
          {
            property: "transactional",
            message: "Call transactional of core/queries, which tries again after a deadlock",
          },
        ],
      },
    },
    {
      files: ["src/rest/**", "src/mcp/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: [
                  "@mikro-orm/**",
                  "kysely",
                  "pg",
                  "**/*.entity.ts",
                  "**/queries/database.ts",
                  "**/model/tables.ts",
                  "**/platform/postgres/**",
                ],
                message: "rest and mcp send documents and get plain data",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["test/**"],
      rules: {
        "eslint/max-lines-per-function": "off",
        "typescript/no-unused-expressions": "off",
        "no-unused-expressions": "off",
      },
    },
    {
      files: ["admin/**"],
      plugins: ["react", "jsx-a11y", "typescript", "unicorn", "import", "promise", "oxc"],
      rules: {
        "house/floors": ["error", floors],
        "react/react-in-jsx-scope": "off",
        "react/no-unescaped-entities": "off",
        "react/no-array-index-key": "off",
        "react/no-unstable-nested-components": ["error", { allowAsProps: true }],
        "jsx-a11y/no-autofocus": "off",
        "jsx-a11y/prefer-tag-over-role": "off",
        "jsx-a11y/no-noninteractive-tabindex": "off",
        "import/extensions": "off",
        "import/default": "off",
        "import/no-unassigned-import": "off",
        "no-restricted-imports": [
          "error",
          {
            patterns: [{ group: ["**/src/**"], message: "Admin may import only the schema from src" }],
          },
        ],
      },
    },
    {
      files: ["admin/docs/**"],
      rules: forbid(
        ["**/src/**", "!**/src/reference/samples.ts", "!**/src/reference/highlight.ts"],
        "the reference shares its samples with the server, and nothing else",
      ),
    },
    {
      files: [".mocharc.js", "admin/vite.config.ts", "oxlint.config.ts", "lint/*.ts"],
      rules: { "import/no-default-export": "off" },
    },
    {
      files: ["migrations/**"],
      rules: {
        "eslint/max-lines": "off",
        "eslint/max-lines-per-function": "off",
      },
    },
  ],
});
