# The production build: compiled sources and production dependencies. The operator provides PostgreSQL.
# The base is pinned by the digest of its platform index. A release updates it (CONTRIBUTING.md).
FROM node:26.10.0-slim@sha256:930557a230abacbc3f4fd9b8648abf8f4bee1e17cb72195dcdfb2f709bc85b33 AS base

FROM base AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json schema.introspection.d.ts ./
COPY src src
COPY admin admin
COPY scripts scripts
COPY migrations migrations
# Optional packages bring the embedded PostgreSQL and a Node for machines without one; neither is needed in the image.
RUN npm run build && npm prune --omit=dev --omit=optional

FROM base
LABEL org.opencontainers.image.title="Merchant API" org.opencontainers.image.version="1.2.0" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 HEALTH_PORT=4001 METRICS_HOST=0.0.0.0
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY bin bin
# The API reference shows some of these pages, and messages name others.
COPY CHANGELOG.md ./
COPY docs docs
RUN ln -s /app/bin/merchant-api.js /usr/local/bin/merchant-api
USER node
EXPOSE 4000 4001
# The API serves its health at the first port, a worker at the second.
HEALTHCHECK CMD ["node", "-e", "const ask = (port) => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok || Promise.reject()); Promise.any([process.env.PORT, process.env.HEALTH_PORT].map(ask)).then(() => process.exit(0), () => process.exit(1))"]
# Set DATABASE_URL, BASE_URL and ENCRYPTION_KEYS at run time.
CMD ["node", "--enable-source-maps", "dist/src/main.js", "serve"]
