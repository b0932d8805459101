// Run from the project's folder: a config lints only what lies under where it runs.
import js from "@eslint/js";
import noUnsanitized from "eslint-plugin-no-unsanitized";
import globals from "globals";

const noHtmlFromStrings = "The page demands Trusted Types: build elements instead.";

export default [
  { ignores: ["**/node_modules/"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-redeclare": ["error", { builtinGlobals: false }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["client/**/*.js"],
    ...noUnsanitized.configs.recommended,
  },
  {
    files: ["client/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe"].map(
          (property) => ({ property, message: noHtmlFromStrings }),
        ),
        { object: "document", property: "write", message: noHtmlFromStrings },
      ],
    },
  },
  {
    files: ["tests/client/**/*.js"],
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
  },
];
