import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const BEST = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: zlib.constants.BROTLI_MAX_QUALITY } };
const COMPRESSED = /\.(?:css|html|js|svg)$/;

/** Writes each file a second and a third time, compressed as well as can be: servers have no time for that. */
function compress(): Plugin {
  const write = async (file: string) => {
    const text = await readFile(file);
    await writeFile(`${file}.br`, await brotli(text, BEST));
    await writeFile(`${file}.gz`, await gzip(text, { level: 9 }));
  };
  return {
    name: "compress",
    // Of what is on the disk: other plugins change files until the last moment.
    writeBundle: async ({ dir }, bundle) => {
      const names = Object.keys(bundle).filter((name) => COMPRESSED.test(name));
      await Promise.all(names.map((name) => write(join(dir!, name))));
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
    rollupOptions: { checks: { pluginTimings: false }, input: { index: "admin/index.html", docs: "admin/docs.html" } },
  },
});
