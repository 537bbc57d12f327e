// Starts a server of its own, runs every suite/*.test.mjs against it and stops it: node run.mjs SERVER [OPTION...].
// SERVER is the jar or the launcher; with options, which say where it keeps its data, it is not in memory.
// Ends with 1 when a test fails, and also when a file has no test that ran, since silence is not success.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { DEVELOPMENT, SECOND } from "./suite/accounts.mjs";

const START_MILLIS_MAX = 60_000;
const STOP_MILLIS_MAX = 20_000;
const TEST_MILLIS_MAX = 180_000;

const SUITE = fileURLToPath(new URL("suite", import.meta.url));

async function main(path, options) {
  const server = startServer(resolve(path), options);
  try {
    const origins = await originsOf(server);
    process.env.TRESTLE_TABLE_ORIGIN = origins.Table;
    process.env.TRESTLE_QUEUE_ORIGIN = origins.Queue;
    process.env.TRESTLE_BLOB_ORIGIN = origins.Blob;
    // For tests that need a server of their own.
    process.env.TRESTLE_SERVER = JSON.stringify(server.spawnargs.slice(0, server.spawnargs.indexOf("serve")));
    process.exitCode = (await runSuite()) ? 0 : 1;
  } finally {
    await stopServer(server);
  }
}

function startServer(path, options) {
  const [command, ...before] = path.endsWith(".jar") ? javaCommand(path) : [path];
  const store = options.length > 0 ? options : ["--in-memory"];
  const accounts = [
    ["--account", [DEVELOPMENT.name, DEVELOPMENT.key].join(":")],
    ["--account", [SECOND.name, SECOND.key, SECOND.otherKey].join(":")],
  ].flat();
  const server = spawn(command, [...before, "serve", ...store, "--table-port", "0", ...accounts], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Whatever ends this process, no server stays behind.
  process.on("exit", () => server.kill("SIGKILL"));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => process.exit(1));
  }
  return server;
}

function javaCommand(jar) {
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin", "java") : "java";
  return [java, "-Xmx384m", "-XX:+UseParallelGC", "-cp", jar, "dev.trestle.cli.Main"];
}

/** The scheme, host and port of each service that the server's banner tells. */
function originsOf(server) {
  return new Promise((resolve, reject) => {
    const said = [];
    const fail = (why) => reject(new Error([why, ...said].join("\n")));
    const timer = setTimeout(() => fail("The server did not start in time."), START_MILLIS_MAX);
    server.once("error", (e) => fail(`The server could not be started: ${e.message}`));
    server.once("exit", (code) => fail(`The server ended with ${code} instead of starting.`));
    const origins = {};
    createInterface({ input: server.stdout }).on("line", (line) => {
      said.push(line);
      const [, service, origin] = /(\w+) endpoint\s+(https?:\/\/[^/\s]+)/.exec(line) ?? [];
      if (service) {
        origins[service] = origin;
      }
      if (origins.Table && origins.Queue && origins.Blob && line.startsWith("Ready")) {
        clearTimeout(timer);
        resolve(origins);
      }
    });
  });
}

async function stopServer(server) {
  if (server.exitCode !== null || server.signalCode !== null) {
    return;
  }
  const ended = new Promise((resolve) => server.once("exit", resolve));
  const timer = setTimeout(() => server.kill("SIGKILL"), STOP_MILLIS_MAX);
  server.kill("SIGTERM");
  await ended;
  clearTimeout(timer);
}

async function runSuite() {
  const files = readdirSync(SUITE)
    .filter((name) => name.endsWith(".test.mjs"))
    .sort()
    .map((name) => join(SUITE, name));
  const ran = new Map(files.map((file) => [file, 0]));
  let failed = 0;
  const events = run({ files, concurrency: 2, timeout: TEST_MILLIS_MAX });
  events.on("test:fail", () => failed++);
  events.on("test:pass", ({ name, file, skip, todo, details }) => {
    // A file without tests is reported as one passed test that has the file's name.
    const isTest = details?.type !== "suite" && resolve(name) !== file;
    if (isTest && skip === undefined && todo === undefined && ran.has(file)) {
      ran.set(file, ran.get(file) + 1);
    }
  });
  const report = events.compose(spec);
  report.pipe(process.stdout);
  await new Promise((resolve, reject) => report.once("end", resolve).once("error", reject));

  const silent = files.filter((file) => ran.get(file) === 0).map((file) => basename(file));
  const total = [...ran.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) {
    console.error("No test ran.");
  } else if (silent.length > 0) {
    console.error(`No test passed in ${silent.join(", ")}.`);
  }
  return failed === 0 && total > 0 && silent.length === 0;
}

if (process.argv.length < 3) {
  console.error("usage: node run.mjs SERVER [OPTION...]");
  process.exit(2);
}
await main(process.argv[2], process.argv.slice(3));
