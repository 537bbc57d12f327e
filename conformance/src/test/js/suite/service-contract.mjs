// What every service does alike with its properties, and for pages of other origins. Properties belong to the whole account,
// so everything that changes those of a service is in one file, whose tests run one after the other.

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { defined } from "./common.mjs";

const OFF = { enabled: false };
const PAGE = "http://app.example";

export const RULE = {
  allowedOrigins: PAGE,
  allowedMethods: "GET,PUT",
  allowedHeaders: "x-ms-*,content-type",
  exposedHeaders: "x-ms-request-id,etag",
  maxAgeInSeconds: 600,
};

/**
 * The properties of a service. Its SDK calls the section about logging by a name of its own, and the part of that about
 * deletions too.
 */
export function propertiesContract({ service, refused, logging, deletions }) {
  const quiet = { version: "1.0", read: false, write: false, [deletions]: false, retentionPolicy: OFF };
  const plain = {
    [logging]: quiet,
    hourMetrics: { version: "1.0", enabled: false, retentionPolicy: OFF },
    minuteMetrics: { version: "1.0", enabled: false, retentionPolicy: OFF },
    cors: [],
  };

  /** The properties without what the SDK adds from the response's headers. */
  async function properties() {
    const { [logging]: logs, hourMetrics, minuteMetrics, cors } = await service.getProperties();
    return defined({ [logging]: logs, hourMetrics, minuteMetrics, cors });
  }

  describe("service properties", () => {
    after(() => service.setProperties(plain));

    test("a fresh account has everything switched off", async () => {
      const found = await properties();
      assert.deepEqual(found[logging], quiet);
      assert.equal(found.hourMetrics.enabled, false);
      assert.equal(found.minuteMetrics.enabled, false);
      assert.deepEqual(found.cors ?? [], []);
    });

    test("properties come back as they were set", async () => {
      const origins = "http://a.example,http://b.example";
      const set = {
        [logging]: { ...quiet, read: true, write: true, retentionPolicy: { enabled: true, days: 5 } },
        hourMetrics: { version: "1.0", enabled: true, includeAPIs: true, retentionPolicy: { enabled: true, days: 365 } },
        minuteMetrics: { version: "1.0", enabled: true, includeAPIs: false, retentionPolicy: OFF },
        cors: [RULE, { ...RULE, allowedOrigins: origins, allowedHeaders: "", exposedHeaders: "", maxAgeInSeconds: 0 }],
      };
      let raw;
      const answer = await service.setProperties(set, { onResponse: (response) => (raw = response) });
      // The SDKs of queues and blobs have the response with their answer.
      assert.equal((raw ?? answer._response).status, 202);
      assert.deepEqual(await properties(), set);
    });

    test("a section that is left out stays as it was", async () => {
      await service.setProperties({ cors: [RULE] });
      await service.setProperties({ [logging]: quiet });
      const found = await properties();
      assert.deepEqual(found.cors, [RULE]);
      assert.deepEqual(found[logging], quiet);
      assert.equal(found.hourMetrics.enabled, true);
    });

    test("an empty list clears the CORS rules", async () => {
      await service.setProperties({ cors: [RULE] });
      await service.setProperties({ cors: [] });
      assert.deepEqual((await properties()).cors ?? [], []);
    });

    test("values beyond the limits are refused", async () => {
      const before = await properties();
      const long = { ...quiet, retentionPolicy: { enabled: true, days: 366 } };
      await refused(service.setProperties({ [logging]: long }), 400, "InvalidXmlDocument");
      await refused(service.setProperties({ cors: Array(6).fill(RULE) }), 400, "InvalidXmlDocument");
      const allowedMethods = "FETCH";
      await refused(service.setProperties({ cors: [{ ...RULE, allowedMethods }] }), 400, "InvalidXmlDocument");
      assert.deepEqual(await properties(), before);
    });
  });
}

/** What a browser asks before it sends a request across origins. */
export function preflightTo(endpoint) {
  return (path, headers) => fetch(`${endpoint}/${path}`, { method: "OPTIONS", headers });
}

/**
 * What pages of other origins may do: path is that of something the service could have, and read gets something by SAS, as
 * such a page would, with these headers.
 */
export function corsContract({ service, endpoint, path, read }) {
  const preflight = preflightTo(endpoint);

  describe("CORS", () => {
    afterEach(() => service.setProperties({ cors: [] }));

    test("a preflight that a rule allows is answered without any credential", async () => {
      await service.setProperties({ cors: [RULE] });
      const response = await preflight(path, {
        origin: PAGE,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "x-ms-date,x-ms-version,content-type",
      });
      assert.equal(response.status, 200);
      assert.equal(await response.text(), "");
      assert.equal(response.headers.get("access-control-allow-origin"), PAGE);
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
        await assertRefused({ origin: PAGE, "access-control-request-method": "GET", ...changed });
      });
    }

    async function assertRefused(headers) {
      const response = await preflight(path, headers);
      assert.equal(response.status, 403);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      assert.match(await response.text(), /CorsPreflightFailure/);
    }

    test("a preflight is refused when there are no rules", async () => {
      await assertRefused({ origin: PAGE, "access-control-request-method": "GET" });
    });

    test("a preflight without what makes it one is refused", async () => {
      await service.setProperties({ cors: [RULE] });
      for (const headers of [{}, { origin: PAGE }]) {
        const response = await preflight(path, headers);
        assert.equal(response.status, 400);
        await response.arrayBuffer();
      }
    });

    test("the first rule for an origin and method decides", async () => {
      await service.setProperties({ cors: [{ ...RULE, allowedHeaders: "" }, RULE] });
      await assertRefused({
        origin: PAGE,
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-ms-date",
      });
    });

    test("an answer names the origin and the exposed headers when a rule matches", async (t) => {
      await service.setProperties({ cors: [RULE] });
      const headers = await read(t, { origin: PAGE });
      assert.equal(headers.get("access-control-allow-origin"), PAGE);
      assert.equal(headers.get("access-control-expose-headers"), RULE.exposedHeaders);
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

    test("refusals too can be read by the page that caused them", async () => {
      await service.setProperties({ cors: [RULE] });
      const response = await fetch(`${endpoint}/${path}`, { headers: { origin: PAGE } });
      assert.ok(response.status >= 400);
      assert.equal(response.headers.get("access-control-allow-origin"), PAGE);
      await response.arrayBuffer();
    });
  });
}
