import { defineConfig } from "vitest/config";
import openapi from "../functions/systems/api/openapi.json" with { type: "json" };

const parameters: { name: string; schema: { enum?: string[] } }[] = openapi.paths["/graph/search"].get.parameters;

export default defineConfig({
  // Preact's own JSX, without a plugin.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // By which attributes nodes are searched: what functions/systems/graph/declared.py declares.
  define: { ATTRIBUTES: JSON.stringify(parameters.find(({ name }) => name === "name")?.schema.enum) },
  // The Content-Security-Policy allows no data: addresses, so nothing is inlined.
  build: { target: "es2023", assetsInlineLimit: 0 },
  // Styles as they are: a test computes the contrasts of their colours.
  test: { css: true },
});
