# The production build: compiled sources and production dependencies, on a PostgreSQL of the operator's.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY migrations migrations
# Optional packages bring the embedded PostgreSQL and a Node for machines without one; neither is needed from here on.
RUN npm run build && npm prune --omit=dev --omit=optional

FROM node:26-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 4000
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# DATABASE_URL, BASE_URL and ENCRYPTION_KEYS are given at run time.
CMD ["node", "--enable-source-maps", "dist/src/main.js", "serve"]
