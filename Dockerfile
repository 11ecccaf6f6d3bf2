# One executable in a bare image: `docker build -t tollgate .`

FROM node:22-bookworm-slim AS build
WORKDIR /tollgate
COPY . .
RUN npm run build

FROM debian:bookworm-slim
# A fixed number, so that folders of the host can be given to it.
RUN useradd --uid 10001 --no-create-home tollgate && install --directory --owner=tollgate --mode=700 /data
COPY --from=build /tollgate/dist/tollgate /usr/local/bin/tollgate
USER tollgate
ENV DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["tollgate", "health"]
ENTRYPOINT ["tollgate"]
