// Service properties belong to the whole account, so everything that changes them is in this file, whose tests run one
// after the other.

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { generateTableSas } from "@azure/data-tables";
import { CREDENTIAL, ENDPOINT, defined, freshName, freshTable, refused, service, serviceClient } from "./support.mjs";

const OFF = { enabled: false };
const PLAIN = {
  logging: { version: "1.0", read: false, write: false, delete: false, retentionPolicy: OFF },
  hourMetrics: { version: "1.0", enabled: false, retentionPolicy: OFF },
  minuteMetrics: { version: "1.0", enabled: false, retentionPolicy: OFF },
  cors: [],
};

const RULE = {
  allowedOrigins: "http://app.example",
  allowedMethods: "GET,PUT",
  allowedHeaders: "x-ms-*,content-type",
  exposedHeaders: "x-ms-request-id,etag",
  maxAgeInSeconds: 600,
};

/** The properties without what the SDK adds from the response's headers. */
async function properties() {
  const { logging, hourMetrics, minuteMetrics, cors } = await service.getProperties();
  return defined({ logging, hourMetrics, minuteMetrics, cors });
}

describe("service properties", () => {
  after(() => service.setProperties(PLAIN));

  test("a fresh account has everything switched off", async () => {
    const found = await properties();
    assert.deepEqual(found.logging, PLAIN.logging);
    assert.equal(found.hourMetrics.enabled, false);
    assert.equal(found.minuteMetrics.enabled, false);
    assert.deepEqual(found.cors ?? [], []);
  });

  test("properties come back as they were set", async () => {
    const set = {
      logging: { version: "1.0", read: true, write: true, delete: false, retentionPolicy: { enabled: true, days: 5 } },
      hourMetrics: { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy: { enabled: true, days: 365 } },
      minuteMetrics: { version: "1.0", enabled: true, includeAPIs: false, retentionPolicy: OFF },
      cors: [RULE, { ...RULE, allowedOrigins: "http://a.example,http://b.example", allowedHeaders: "", exposedHeaders: "" }],
    };
    await service.setProperties(set);
    assert.deepEqual(await properties(), set);
  });

  test("a section that is left out stays as it was", async () => {
    await service.setProperties({ cors: [RULE] });
    await service.setProperties({ logging: PLAIN.logging });
    const found = await properties();
    assert.deepEqual(found.cors, [RULE]);
    assert.deepEqual(found.logging, PLAIN.logging);
    assert.equal(found.hourMetrics.enabled, true);
  });

  test("an empty list clears the CORS rules", async () => {
    await service.setProperties({ cors: [RULE] });
    await service.setProperties({ cors: [] });
    assert.deepEqual((await properties()).cors ?? [], []);
  });

  test("values beyond the limits are refused", async () => {
    const before = await properties();
    const logging = { ...PLAIN.logging, retentionPolicy: { enabled: true, days: 366 } };
    await refused(service.setProperties({ logging }), 400, "InvalidXmlDocument");
    await refused(service.setProperties({ cors: Array(6).fill(RULE) }), 400, "InvalidXmlDocument");
    const allowedMethods = "FETCH";
    await refused(service.setProperties({ cors: [{ ...RULE, allowedMethods }] }), 400, "InvalidXmlDocument");
    assert.deepEqual(await properties(), before);
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
    const response = await preflight(freshName(), {
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
      const response = await preflight("Tables", headers);
      assert.equal(response.status, 403);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      await response.arrayBuffer();
    });
  }

  test("a preflight is refused when there are no rules", async () => {
    const response = await preflight("Tables", { origin: "http://app.example", "access-control-request-method": "GET" });
    assert.equal(response.status, 403);
    await response.arrayBuffer();
  });

  test("a browser may merge when a rule allows PATCH, and from any host of a domain", async () => {
    await service.setProperties({
      cors: [{ ...RULE, allowedOrigins: "https://*.app.example", allowedMethods: "PATCH,MERGE", allowedHeaders: "*" }],
    });
    const asked = { "access-control-request-method": "PATCH", "access-control-request-headers": "if-match" };
    const inside = await preflight("Tables", { origin: "https://www.app.example", ...asked });
    assert.equal(inside.status, 200);
    assert.equal(inside.headers.get("access-control-allow-origin"), "https://www.app.example");
    assert.equal(inside.headers.get("access-control-allow-methods"), "PATCH");
    await inside.arrayBuffer();
    const outside = await preflight("Tables", { origin: "https://app.example", ...asked });
    assert.equal(outside.status, 403);
    await outside.arrayBuffer();
  });

  test("a preflight without what makes it one is refused", async () => {
    await service.setProperties({ cors: [RULE] });
    for (const headers of [{}, { origin: "http://app.example" }]) {
      const response = await preflight("Tables", headers);
      assert.equal(response.status, 400);
      await response.arrayBuffer();
    }
  });

  /** A read as a page in a browser would send it: by SAS, with an origin. */
  async function read(t, headers) {
    const { tableName } = await freshTable(t);
    const sas = generateTableSas(tableName, CREDENTIAL);
    const accept = "application/json;odata=nometadata";
    const response = await fetch(`${ENDPOINT}/${tableName}()?${sas}`, { headers: { accept, ...headers } });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { value: [] });
    return response.headers;
  }

  test("an answer names the origin and the exposed headers when a rule matches", async (t) => {
    await service.setProperties({ cors: [RULE] });
    const headers = await read(t, { origin: "http://app.example" });
    assert.equal(headers.get("access-control-allow-origin"), "http://app.example");
    assert.equal(headers.get("access-control-expose-headers"), "x-ms-request-id,etag");
    assert.equal(headers.get("vary"), "Origin");
  });

  test("an answer to another origin is the same without the headers of CORS", async (t) => {
    await service.setProperties({ cors: [RULE] });
    const headers = await read(t, { origin: "http://other.example" });
    assert.equal(headers.get("access-control-allow-origin"), null);
    assert.equal(headers.get("access-control-expose-headers"), null);
    assert.equal(headers.get("vary"), "Origin");
  });

  test("a rule for all origins is answered with a star", async (t) => {
    await service.setProperties({ cors: [{ ...RULE, allowedOrigins: "*", exposedHeaders: "x-ms-*" }] });
    const headers = await read(t, { origin: "http://anybody.example", "x-ms-client-request-id": "one" });
    assert.equal(headers.get("access-control-allow-origin"), "*");
    assert.match(headers.get("access-control-expose-headers"), /x-ms-request-id/);
    assert.equal(headers.get("vary"), null);
  });

  test("the first rule for an origin and method decides", async () => {
    const strict = { ...RULE, allowedHeaders: "" };
    await service.setProperties({ cors: [strict, RULE] });
    const headers = {
      origin: "http://app.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-ms-date",
    };
    const response = await preflight("Tables", headers);
    assert.equal(response.status, 403);
    await response.arrayBuffer();
  });

  test("refusals too can be read by the page that caused them", async () => {
    await service.setProperties({ cors: [RULE] });
    const response = await fetch(`${ENDPOINT}/Tables`, { headers: { origin: "http://app.example" } });
    assert.ok(response.status >= 400);
    assert.equal(response.headers.get("access-control-allow-origin"), "http://app.example");
    await response.arrayBuffer();
  });

  test("the SDK is not disturbed by the headers of CORS", async () => {
    await service.setProperties({ cors: [{ ...RULE, allowedOrigins: "*", exposedHeaders: "*" }] });
    const addOrigin = {
      name: "origin",
      sendRequest: (request, next) => {
        request.headers.set("origin", "http://app.example");
        return next(request);
      },
    };
    const client = serviceClient({ additionalPolicies: [{ policy: addOrigin, position: "perCall" }] });
    assert.equal((await client.getProperties()).cors[0].allowedOrigins, "*");
  });
});
