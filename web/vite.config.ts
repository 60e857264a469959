import { defineConfig } from "vite";

export default defineConfig({
  // Preact's own JSX, without a plugin.
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  // The Content-Security-Policy allows no data: addresses, so nothing is inlined.
  build: { target: "es2023", assetsInlineLimit: 0 },
});
