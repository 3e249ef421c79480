# syntax=docker/dockerfile:1
# The image of crds/install/deployment.yaml, from a clean checkout:
#
#   docker build -t core-platform:0.1.0 .
#
# There is no git in it: on a cluster, cloning and building happen in Jobs with images of their own.

FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY runtime/embedded/package.json runtime/embedded/
RUN npm ci --ignore-scripts
COPY . .
RUN node build.mjs

FROM node:20-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY runtime/embedded/package.json runtime/embedded/
RUN npm ci --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /src/dist dist
COPY package.json LICENSE ./
COPY runtime/embedded/package.json runtime/embedded/
USER 65532:65532
EXPOSE 8085 8086 8443
CMD ["node", "dist/core.js", "start"]
