FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY packages ./packages
RUN npm ci --ignore-scripts
COPY scripts ./scripts
COPY console ./console
COPY src ./src
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
# Variables win over the configuration file, so the health check and the volume below always fit.
ENV STACKGATE_HOST=0.0.0.0 STACKGATE_PORT=8080 STACKGATE_DATA=/data
# As `npm start` sets it; see docs/operations.md, Memory.
ENV MALLOC_ARENA_MAX=2
COPY --from=build /app/node_modules /app/node_modules
# What node_modules/@stackgate links to.
COPY --from=build /app/packages /app/packages
COPY --from=build /app/dist /app/dist
COPY models /app/models
COPY scripts/health-check.mjs /app/scripts/
COPY package.json LICENSE /app/
RUN ln -s /app/dist/main.js /usr/local/bin/stackgate \
  && install -d -m 0700 -o node -g node /data
# The image's user "node", by number, so that a cluster can see that it is not root.
USER 1000:1000
# Mount a folder with stackgate.yaml here; without one the built-in defaults hold.
WORKDIR /config
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/app/scripts/health-check.mjs"]
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["serve"]
