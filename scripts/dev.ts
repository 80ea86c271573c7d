// Runs the server and Admin from their sources. The server restarts after a change, and the page gets changed modules.
import { spawn } from "node:child_process";
import { createServer } from "vite";

const port = Number(process.env.PORT || 4000);
const target = `http://127.0.0.1:${port + 1}`;

// Vite answers at the usual port. It passes on everything but the modules of Admin, also the built script of /docs.
const admin = await createServer({
  configFile: "admin/vite.config.ts",
  logLevel: "warn",
  server: { host: "127.0.0.1", port, strictPort: true, proxy: { "^/(?!admin/(?!assets/))": target } },
});
await admin.listen();

const node = ["--import", "tsx", "--watch", "--watch-preserve-output", ...process.argv.slice(2)];
const server = spawn(process.execPath, [...node, "src/main.ts", "serve"], {
  stdio: "inherit",
  env: { ...process.env, PORT: String(port + 1), BASE_URL: `http://127.0.0.1:${port}` },
});
// Ctrl-C reaches the server, which then stops its database.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => server.kill());
server.on("exit", (code) => process.exit(code ?? 1));
