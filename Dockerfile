# syntax=docker/dockerfile:1
# The image of crds/install/deployment.yaml, from a clean checkout:
#
#   docker build -t core-platform:0.1.0 .
#
# It holds Node and Core: no shell, no npm, no git. On a cluster, cloning and building happen in Jobs with images of their
# own. `--build-arg RELEASE=v1.2.0` stamps a release, `--build-arg BASE=…` takes another image with Node 20.19 or later.

ARG BASE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY runtime/embedded/package.json runtime/embedded/
RUN npm ci --ignore-scripts
COPY . .
ARG RELEASE=
RUN node build.mjs ${RELEASE:+--release "$RELEASE"} --image /image

FROM ${BASE}
ARG RELEASE=
LABEL org.opencontainers.image.title="Core" \
      org.opencontainers.image.description="A self-hosted application platform on Kubernetes" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${RELEASE}"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /image ./
USER 65532:65532
EXPOSE 8085 8086 8443
ENTRYPOINT ["/nodejs/bin/node", "dist/core.js"]
CMD ["start"]
