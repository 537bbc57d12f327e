// Service properties belong to the whole account, so everything that changes those of queues is in this file, whose tests
// run one after the other.

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { QueueSASPermissions, QueueServiceClient } from "@azure/storage-queue";
import { defined, service as tables } from "./support.mjs";
import { CREDENTIAL, ENDPOINT, freshName, freshQueue, options, refused, service, soon } from "./queue-support.mjs";

const OFF = { enabled: false };
const PLAIN = {
  queueAnalyticsLogging: { version: "1.0", read: false, write: false, deleteProperty: false, retentionPolicy: OFF },
  hourMetrics: { version: "1.0", enabled: false, retentionPolicy: OFF },
  minuteMetrics: { version: "1.0", enabled: false, retentionPolicy: OFF },
  cors: [],
};

const RULE = {
  allowedOrigins: "http://app.example",
  allowedMethods: "GET,PUT",
  allowedHeaders: "x-ms-*,content-type",
  exposedHeaders: "x-ms-request-id,x-ms-approximate-messages-count",
  maxAgeInSeconds: 600,
};

// An origin that the tests of tables, which run at the same time, do not know.
const OF_QUEUES = "http://queues.example";

/** The properties without what the SDK adds from the response's headers. */
async function properties() {
  const { queueAnalyticsLogging, hourMetrics, minuteMetrics, cors } = await service.getProperties();
  return defined({ queueAnalyticsLogging, hourMetrics, minuteMetrics, cors });
}

describe("service properties", () => {
  after(() => service.setProperties(PLAIN));

  test("a fresh account has everything switched off", async () => {
    const found = await properties();
    assert.deepEqual(found.queueAnalyticsLogging, PLAIN.queueAnalyticsLogging);
    assert.equal(found.hourMetrics.enabled, false);
    assert.equal(found.minuteMetrics.enabled, false);
    assert.deepEqual(found.cors ?? [], []);
  });

  test("properties come back as they were set, and are not those of tables", async () => {
    const set = {
      queueAnalyticsLogging: {
        version: "1.0",
        read: true,
        write: true,
        deleteProperty: false,
        retentionPolicy: { enabled: true, days: 5 },
      },
      hourMetrics: { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy: { enabled: true, days: 365 } },
      minuteMetrics: { version: "1.0", enabled: true, includeAPIs: false, retentionPolicy: OFF },
      cors: [RULE, { ...RULE, allowedOrigins: `${OF_QUEUES},http://b.example`, maxAgeInSeconds: 0 }],
    };
    const answer = await service.setProperties(set);
    assert.equal(answer._response.status, 202);
    assert.deepEqual(await properties(), set);
    const ofTables = (await tables.getProperties()).cors ?? [];
    assert.ok(!ofTables.some(({ allowedOrigins }) => allowedOrigins.includes(OF_QUEUES)));
  });

  test("a section that is left out stays as it was", async () => {
    await service.setProperties({ cors: [RULE] });
    await service.setProperties({ queueAnalyticsLogging: PLAIN.queueAnalyticsLogging });
    const found = await properties();
    assert.deepEqual(found.cors, [RULE]);
    assert.deepEqual(found.queueAnalyticsLogging, PLAIN.queueAnalyticsLogging);
    assert.equal(found.hourMetrics.enabled, true);
  });

  test("an empty list clears the CORS rules", async () => {
    await service.setProperties({ cors: [RULE] });
    await service.setProperties({ cors: [] });
    assert.deepEqual((await properties()).cors ?? [], []);
  });

  test("values beyond the limits are refused", async () => {
    const before = await properties();
    const queueAnalyticsLogging = { ...PLAIN.queueAnalyticsLogging, retentionPolicy: { enabled: true, days: 366 } };
    await refused(service.setProperties({ queueAnalyticsLogging }), 400, "InvalidXmlDocument");
    await refused(service.setProperties({ cors: Array(6).fill(RULE) }), 400, "InvalidXmlDocument");
    const allowedMethods = "FETCH";
    await refused(service.setProperties({ cors: [{ ...RULE, allowedMethods }] }), 400, "InvalidXmlDocument");
    assert.deepEqual(await properties(), before);
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

describe("CORS", () => {
  afterEach(() => service.setProperties({ cors: [] }));

  /** What a browser asks before it sends a request across origins. */
  function preflight(path, headers) {
    return fetch(`${ENDPOINT}/${path}`, { method: "OPTIONS", headers });
  }

  test("a preflight that a rule allows is answered without any credential", async () => {
    await service.setProperties({ cors: [RULE] });
    const response = await preflight(`${freshName()}/messages`, {
      origin: "http://app.example",
      "access-control-request-method": "PUT",
      "access-control-request-headers": "x-ms-date,x-ms-version,content-type",
    });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
    assert.equal(response.headers.get("access-control-allow-origin"), "http://app.example");
    assert.equal(response.headers.get("access-control-allow-methods"), "PUT");
    assert.equal(response.headers.get("access-control-allow-headers"), "x-ms-date,x-ms-version,content-type");
    assert.equal(response.headers.get("access-control-max-age"), "600");
    assert.equal(response.headers.get("access-control-allow-credentials"), "true");
  });

  for (const [what, changed] of [
    ["origin", { origin: "http://other.example" }],
    ["method", { "access-control-request-method": "DELETE" }],
    ["header", { "access-control-request-headers": "x-other" }],
  ]) {
    test(`a preflight with a ${what} that no rule allows is refused`, async () => {
      await service.setProperties({ cors: [RULE] });
      const headers = { origin: "http://app.example", "access-control-request-method": "GET", ...changed };
      const response = await preflight("jobs", headers);
      assert.deepEqual([response.status, response.headers.get("x-ms-error-code")], [403, "CorsPreflightFailure"]);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      await response.arrayBuffer();
    });
  }

  test("a preflight without what makes it one is refused", async () => {
    await service.setProperties({ cors: [RULE] });
    for (const headers of [{}, { origin: "http://app.example" }]) {
      const response = await preflight("jobs", headers);
      assert.equal(response.status, 400);
      await response.arrayBuffer();
    }
  });

  test("rules of queues are not rules of tables", async () => {
    await service.setProperties({ cors: [{ ...RULE, allowedOrigins: OF_QUEUES }] });
    const headers = { origin: OF_QUEUES, "access-control-request-method": "GET" };
    const own = await preflight("jobs", headers);
    assert.equal(own.status, 200);
    await own.arrayBuffer();
    const response = await fetch(`${tables.url}/Tables`, { method: "OPTIONS", headers });
    assert.equal(response.status, 403);
    await response.arrayBuffer();
  });

  /** A read as a page in a browser would send it: by SAS, with an origin. */
  async function read(t, origin) {
    const queue = await freshQueue(t);
    const url = queue.generateSasUrl({ permissions: QueueSASPermissions.parse("r"), expiresOn: soon() });
    const response = await fetch(`${url}&comp=metadata`, { headers: { origin } });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    return response.headers;
  }

  test("an answer names the origin and the exposed headers when a rule matches", async (t) => {
    await service.setProperties({ cors: [RULE] });
    const headers = await read(t, "http://app.example");
    assert.equal(headers.get("access-control-allow-origin"), "http://app.example");
    assert.match(headers.get("access-control-expose-headers"), /x-ms-approximate-messages-count/);
    assert.equal(headers.get("vary"), "Origin");
  });

  test("an answer to another origin is the same without the headers of CORS", async (t) => {
    await service.setProperties({ cors: [RULE] });
    const headers = await read(t, "http://other.example");
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(headers.get("access-control-expose-headers"), null);
    assert.equal(headers.get("vary"), "Origin");
  });

  test("refusals too can be read by the page that caused them", async () => {
    await service.setProperties({ cors: [RULE] });
    const response = await fetch(`${ENDPOINT}/jobs?comp=metadata`, { headers: { origin: "http://app.example" } });
    assert.ok(response.status >= 400);
    assert.equal(response.headers.get("access-control-allow-origin"), "http://app.example");
    await response.arrayBuffer();
  });
});
