import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const COMPRESSED = /\.(?:css|html|js|svg)$/;

/** Writes each file a second and a third time, compressed as well as can be: servers have no time for that. */
function compress(): Plugin {
  return {
    name: "compress",
    // Of what is on the disk: other plugins change files until the last moment.
    writeBundle: async ({ dir }, bundle) => {
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      for (const name of Object.keys(bundle).filter((each) => COMPRESSED.test(each))) {
        const file = join(dir!, name);
        const text = await readFile(file);
        await writeFile(`${file}.br`, brotliCompressSync(text, { params }));
        await writeFile(`${file}.gz`, gzipSync(text, { level: 9 }));
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
    // The first one holds React, the router and the controls: 160 kB as it is sent.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { index: "admin/index.html", docs: "admin/docs.html" } },
  },
});
