// Preloaded into a separate process to report OpenTelemetry's modules as it loads them.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, name] = /node_modules\/(@opentelemetry\/[\w-]+)/.exec(resolved.url) ?? [];
    if (name !== undefined) console.error(`loads ${name}`);
    return resolved;
  },
});
