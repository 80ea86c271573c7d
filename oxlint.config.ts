import { defineConfig, type OxlintOverride } from "oxlint";

/** The floors of src/core above model/, from the bottom: a file imports from its own folder and from floors below. */
const floors = [
  ["context.ts", "validation", "bulk"],
  ["queries", "schema"],
  ["cluster"],
  ["access", "idempotency"],
  ["audit", "notifications"],
  ["shops"],
  ["staff", "credentials"],
  ["webhooks", "requests"],
  ["customers", "products"],
  ["stock"],
  ["orders"],
  ["moves", "secrets"],
  ["gateway.ts", "schema.ts"],
];

const usersOfCore = ["rest", "graphql", "jobs", "demo", "cli", "app.ts", "main.ts"];

const filesOf = (name: string) => (name.endsWith(".ts") ? name : `${name}/**`);

function forbid(group: string[], message: string): OxlintOverride["rules"] {
  return { "no-restricted-imports": ["error", { patterns: [{ group, message }] }] };
}

const coreFloors = floors.map((floor, index) => {
  const above = [...floors.slice(index).flat(), ...usersOfCore];
  return {
    files: floor.map((name) => `src/core/${filesOf(name)}`),
    // Folders of model/ have the names of folders above it.
    rules: forbid(
      [...above.map((name) => `**/${filesOf(name)}`), "!**/model/**", "!**/jobs/send-jobs.sql.ts"],
      "core imports from lower floors only",
    ),
  };
});

export default defineConfig({
  plugins: ["typescript", "unicorn", "import", "node", "promise", "oxc"],
  categories: {
    correctness: "error",
    suspicious: "error",
    perf: "error",
  },
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
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
      files: ["src/platform/**"],
      rules: forbid(
        [
          "**/core/**",
          "**/rest/**",
          "../graphql/**",
          "../../graphql/**",
          "**/jobs/**",
          "**/health/**",
          "**/demo/**",
          "**/cli/**",
          "**/config.ts",
          "**/api.ts",
          "**/http.ts",
          "**/app.ts",
          "**/main.ts",
        ],
        "platform knows no shop",
      ),
    },
    {
      files: ["src/**"],
      rules: {
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
      files: ["src/core/**"],
      rules: forbid(
        usersOfCore.map((name) => `**/${filesOf(name)}`),
        "core knows nothing of those that use it",
      ),
    },
    {
      files: ["src/core/model/*.ts"],
      rules: forbid(["../**", "!../../platform/**"], "model/ imports nothing else of the core"),
    },
    {
      files: ["src/core/model/*/*.ts"],
      rules: forbid(["../../**", "!../../../platform/**"], "model/ imports nothing else of the core"),
    },
    ...coreFloors,
    {
      files: ["src/rest/**"],
      rules: {
        "no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                group: ["../graphql/**", "**/jobs/**", "**/demo/**", "**/cli/**", "**/app.ts", "**/main.ts"],
                message: "rest, graphql and jobs do not know each other",
              },
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
                message: "rest sends documents and gets plain data",
              },
            ],
          },
        ],
      },
    },
    {
      files: ["src/graphql/**"],
      rules: forbid(
        ["**/rest/**", "**/jobs/**", "**/demo/**", "**/cli/**", "**/app.ts", "**/main.ts"],
        "rest, graphql and jobs do not know each other",
      ),
    },
    {
      files: ["src/jobs/**"],
      rules: forbid(
        [
          "**/rest/**",
          "../graphql/**",
          "../../graphql/**",
          "../../../graphql/**",
          "**/demo/**",
          "**/cli/**",
          "**/app.ts",
          "**/main.ts",
        ],
        "rest, graphql and jobs do not know each other",
      ),
    },
    {
      files: ["src/reference/**"],
      rules: forbid(
        [
          "**/core/**",
          "**/rest/**",
          "**/graphql/**",
          "**/jobs/**",
          "**/demo/**",
          "**/cli/**",
          "**/app.ts",
          "**/main.ts",
        ],
        "the reference knows the OpenAPI document alone",
      ),
    },
    {
      files: ["src/demo/**"],
      rules: forbid(
        ["**/rest/**", "../graphql/**", "**/jobs/**", "**/cli/**", "**/app.ts", "**/main.ts"],
        "demo uses the core, and the API as its users do",
      ),
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
            patterns: [{ group: ["**/src/**"], message: "the pages know of the program its schema alone" }],
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
      files: ["admin/vite.config.ts", "oxlint.config.ts"],
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
