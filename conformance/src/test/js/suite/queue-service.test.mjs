// What belongs to the queues of an account as a whole.

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { QueueSASPermissions, QueueServiceClient } from "@azure/storage-queue";
import { RULE, corsContract, preflightTo, propertiesContract } from "./service-contract.mjs";
import { service as tables } from "./support.mjs";
import { CREDENTIAL, ENDPOINT, freshQueue, options, refused, service, soon } from "./queue-support.mjs";

propertiesContract({ service, refused, logging: "queueAnalyticsLogging", deletions: "deleteProperty" });

async function read(t, headers) {
  const queue = await freshQueue(t);
  const url = queue.generateSasUrl({ permissions: QueueSASPermissions.parse("r"), expiresOn: soon() });
  const response = await fetch(`${url}&comp=metadata`, { headers });
  assert.equal(response.status, 200);
  await response.arrayBuffer();
  return response.headers;
}

corsContract({ service, endpoint: ENDPOINT, path: "jobs/messages", read });

describe("services apart", () => {
  afterEach(() => service.setProperties({ cors: [] }));

  test("rules of queues are not rules of tables", async () => {
    // An origin that the tests of tables, which run at the same time, do not know.
    const origin = "http://queues.example";
    await service.setProperties({ cors: [{ ...RULE, allowedOrigins: origin }] });
    const ofTables = (await tables.getProperties()).cors ?? [];
    assert.ok(!ofTables.some(({ allowedOrigins }) => allowedOrigins.includes(origin)));
    const headers = { origin, "access-control-request-method": "GET" };
    const own = await preflightTo(ENDPOINT)("jobs", headers);
    assert.equal(own.status, 200);
    await own.arrayBuffer();
    const response = await preflightTo(tables.url)("Tables", headers);
    assert.equal(response.status, 403);
    await response.arrayBuffer();
  });
});

describe("statistics", () => {
  test("they come from the secondary", async () => {
    const secondary = new QueueServiceClient(`${ENDPOINT}-secondary`, CREDENTIAL, options());
    const { _response } = await secondary.getStatistics();
    // This release of the SDK looks for another root than the documented one, and so finds nothing in the document.
    const [, status, time] =
      /<StorageServiceStats><GeoReplication><Status>(.*)<\/Status><LastSyncTime>(.*)<\/LastSyncTime>/.exec(
        _response.bodyAsText,
      );
    assert.equal(status, "live");
    assert.ok(!Number.isNaN(Date.parse(time)));
  });

  test("the primary has none", async () => {
    await refused(service.getStatistics(), 400, "InvalidQueryParameterValue");
  });
});
