// What belongs to the tables of an account as a whole.

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { generateTableSas } from "@azure/data-tables";
import { RULE, corsContract, preflightTo, propertiesContract } from "./service-contract.mjs";
import { CREDENTIAL, ENDPOINT, freshTable, refused, service, serviceClient } from "./support.mjs";

propertiesContract({ service, refused, logging: "logging", deletions: "delete" });

async function read(t, headers) {
  const { tableName } = await freshTable(t);
  const sas = generateTableSas(tableName, CREDENTIAL);
  const accept = "application/json;odata=nometadata";
  const response = await fetch(`${ENDPOINT}/${tableName}()?${sas}`, { headers: { accept, ...headers } });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { value: [] });
  return response.headers;
}

corsContract({ service, endpoint: ENDPOINT, path: "Tables", read });

describe("CORS of tables", () => {
  afterEach(() => service.setProperties({ cors: [] }));

  test("a browser may merge when a rule allows PATCH, and from any host of a domain", async () => {
    const preflight = preflightTo(ENDPOINT);
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
