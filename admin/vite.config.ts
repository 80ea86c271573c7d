import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const COMPRESSED = /\.(?:css|html|js|svg)$/;

/** Writes each file a second and a third time, compressed as well as can be: servers have no time for that. */
function compress(): Plugin {
  return {
    name: "compress",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!COMPRESSED.test(fileName)) continue;
        const text = file.type === "chunk" ? file.code : file.source;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(text, { params }) });
        this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(text, { level: 9 }) });
      }
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/admin/",
  plugins: [react(), compress()],
  build: {
    outDir: "../dist/admin",
    emptyOutDir: true,
    // Pictures in the text of a style sheet would need `img-src data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { index: "admin/index.html", docs: "admin/docs.html" } },
  },
});
