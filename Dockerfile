# docker build --tag filon .
# docker run --rm --volume "$PWD/runs:/runs" filon harvest https://www.example.org/ --budget 300req --contact me@example.org
# The folder that is mounted has to be writable for user 10001. `docker stop` ends a run in order; `filon resume` goes on.

# --build-arg EXTRA=fleet makes an image for workers of a fleet: deploy/compose.yaml.
FROM python:3.13-slim AS build
ARG EXTRA=tables
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m pip wheel --no-cache-dir --wheel-dir /wheels ".[${EXTRA}]"

FROM python:3.13-slim
ARG EXTRA=tables
RUN useradd --uid 10001 --create-home filon && install --directory --owner filon --group filon /runs
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    python -m pip install --no-cache-dir --no-index --find-links /wheels "filon[${EXTRA}]"
# What services have answered, and how often they were asked, outlives a container like the runs.
ENV XDG_CACHE_HOME=/runs/.cache PYTHONUNBUFFERED=1
USER filon
WORKDIR /runs
VOLUME /runs
ENTRYPOINT ["filon"]
CMD ["--help"]
