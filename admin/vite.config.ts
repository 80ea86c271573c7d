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

/** Writes a Brotli and a gzip copy of each file at the best compression, which is too slow for servers. */
function compress(): Plugin {
  const write = async (file: string) => {
    const text = await readFile(file);
    await writeFile(`${file}.br`, await brotli(text, BEST));
    await writeFile(`${file}.gz`, await gzip(text, { level: 9 }));
  };
  return {
    name: "compress",
    // Reads the files from the disk, because other plugins change them until the end.
    writeBundle: async ({ dir }, bundle) => {
      const names = Object.keys(bundle).filter((name) => COMPRESSED.test(name));
      await Promise.all(names.map((name) => write(join(dir!, name))));
    },
  };
}

const page = (name: string) => join(import.meta.dirname, `${name}.html`);

export default defineConfig({
  root: import.meta.dirname,
  base: "/admin/",
  plugins: [react(), compress()],
  build: {
    outDir: "../dist/admin",
    emptyOutDir: true,
    // Inlined images would need `img-src data:` in the policy.
    assetsInlineLimit: 0,
    // The first chunk contains React, the router and the controls: 160 kB compressed.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rollupOptions: { checks: { pluginTimings: false }, input: [page("index"), page("docs")] },
  },
});
