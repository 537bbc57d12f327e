import assert from "node:assert/strict";
import { Agent } from "node:http";
import { test } from "node:test";
import { AzureNamedKeyCredential, TableClient, TableServiceClient, generateAccountSas } from "@azure/data-tables";
import { DEVELOPMENT } from "./accounts.mjs";
import {
  CREDENTIAL,
  ENDPOINT,
  OPTIONS,
  ORIGIN,
  all,
  freshName,
  freshTable,
  refused,
  withResponse,
} from "./support.mjs";

/** Options with one more step, just before a request leaves. */
function withStep(sendRequest) {
  return { ...OPTIONS, additionalPolicies: [{ policy: { name: "step", sendRequest }, position: "perRetry" }] };
}

/** The whole life of one table by a client, as proof that the client is let in. */
async function useTable(table) {
  await table.createTable();
  await table.createEntity({ partitionKey: "it's", rowKey: "a b" });
  await table.submitTransaction([["create", { partitionKey: "it's", rowKey: "c" }]]);
  assert.equal((await table.getEntity("it's", "a b")).rowKey, "a b");
  const pages = await all(table.listEntities().byPage({ maxPageSize: 1 }));
  assert.deepEqual(pages.flat().map(({ rowKey }) => rowKey), ["a b", "c"]);
  await table.deleteTable();
}

test("the connection string of the banner connects", async () => {
  const text =
    `DefaultEndpointsProtocol=http;AccountName=${DEVELOPMENT.name};AccountKey=${DEVELOPMENT.key};` +
    `TableEndpoint=${ENDPOINT};`;
  await useTable(TableClient.fromConnectionString(text, freshName(), OPTIONS));
  assert.ok(await all(TableServiceClient.fromConnectionString(text, OPTIONS).listTables()));
});

test("UseDevelopmentStorage=true connects", async () => {
  // The SDK expands it to a fixed port, where another server may be; the rest of the address stays what it chose.
  const { host } = new URL(ORIGIN);
  const step = withStep((request, next) => {
    const url = new URL(request.url);
    assert.equal(url.origin, "http://127.0.0.1:10002");
    request.url = request.url.replace(url.host, host);
    return next(request);
  });
  const { allowInsecureConnection, ...options } = step;
  await useTable(TableClient.fromConnectionString("UseDevelopmentStorage=true", freshName(), options));
});

test("a connection string with a SAS connects", async () => {
  const sas = generateAccountSas(CREDENTIAL, {
    permissions: { query: true, write: true, delete: true, list: true, add: true, update: true },
  });
  const text = `TableEndpoint=${ENDPOINT}/;SharedAccessSignature=${sas}`;
  await useTable(TableClient.fromConnectionString(text, freshName(), OPTIONS));
});

test("an endpoint may end in a slash", async () => {
  await useTable(new TableClient(`${ENDPOINT}/`, freshName(), CREDENTIAL, OPTIONS));
});

test("the account may be in the host name, as in the cloud", async () => {
  const { options, origin } = hostStyle();
  await useTable(new TableClient(origin, freshName(), CREDENTIAL, options));
});

test("statistics come from the secondary, which the SDK finds by the host name", async () => {
  const { options, origin } = hostStyle();
  const statistics = await new TableServiceClient(origin, CREDENTIAL, options).getStatistics();
  assert.equal(statistics.geoReplication.status, "live");
  assert.ok(Math.abs(statistics.geoReplication.lastSyncTime - Date.now()) < 60_000);
});

test("statistics come from the secondary, when it is named in the path", async () => {
  // On an address of numbers the SDK has no host name to change, so it asks the endpoint it was given.
  const statistics = await new TableServiceClient(`${ENDPOINT}-secondary`, CREDENTIAL, OPTIONS).getStatistics();
  assert.equal(statistics.geoReplication.status, "live");
});

test("the primary has no statistics", async () => {
  const primary = new TableServiceClient(ENDPOINT, CREDENTIAL, OPTIONS);
  await refused(primary.getStatistics(), 400, "InvalidQueryParameterValue");
});

test("the secondary is read, not written", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r" });
  const secondary = new TableClient(`${ENDPOINT}-secondary`, table.tableName, CREDENTIAL, OPTIONS);
  assert.equal((await secondary.getEntity("p", "r")).rowKey, "r");
  await refused(
    secondary.createEntity({ partitionKey: "p", rowKey: "s" }),
    403,
    "InsufficientAccountPermissions",
  );
});

for (const version of ["2019-07-07", "2020-12-06", "2031-01-01"]) {
  test(`version ${version} is accepted and echoed`, async (t) => {
    const { tableName } = await freshTable(t);
    const table = new TableClient(ENDPOINT, tableName, CREDENTIAL, { ...OPTIONS, version });
    const created = await table.createEntity({ partitionKey: "p", rowKey: "r" });
    assert.equal(created.version, version);
  });
}

test("a client with full metadata reads the same tables", async (t) => {
  const { tableName } = await freshTable(t);
  const step = withStep((request, next) => {
    request.headers.set("accept", "application/json;odata=fullmetadata");
    return next(request);
  });
  const table = new TableClient(ENDPOINT, tableName, CREDENTIAL, step);
  await table.createEntity({ partitionKey: "p", rowKey: "it's", n: 1n });
  const { result, response } = await withResponse((options) => table.getEntity("p", "it's", options));
  assert.equal(result.n, 1n);
  assert.equal(response.parsedBody["odata.type"], `${DEVELOPMENT.name}.${tableName}`);
  assert.equal(response.parsedBody["odata.editLink"], `${tableName}(PartitionKey='p',RowKey='it''s')`);
  assert.equal(response.parsedBody["odata.id"], `${ENDPOINT}/${response.parsedBody["odata.editLink"]}`);
});

test("a request that was aborted leaves the server serving", async (t) => {
  const table = await freshTable(t);
  const aborted = new AbortController();
  const call = table.createEntity({ partitionKey: "p", rowKey: "r" }, { abortSignal: aborted.signal });
  aborted.abort();
  await assert.rejects(call, { name: "AbortError" });
  await table.upsertEntity({ partitionKey: "p", rowKey: "r" });
});

test("many requests at once are all answered", async (t) => {
  const table = await freshTable(t);
  const rowKeys = Array.from({ length: 200 }, (_, n) => String(n).padStart(3, "0"));
  await Promise.all(rowKeys.map((rowKey) => table.createEntity({ partitionKey: rowKey.slice(-1), rowKey })));
  assert.equal((await all(table.listEntities())).length, 200);
});

/** The server under a host name of the cloud's shape, which no name service needs to know. */
function hostStyle() {
  const { hostname, port } = new URL(ORIGIN);
  const agent = new Agent({
    lookup: (name, options, done) =>
      options.all ? done(null, [{ address: hostname, family: 4 }]) : done(null, hostname, 4),
  });
  const options = withStep((request, next) => {
    request.agent = agent;
    return next(request);
  });
  return { options, origin: `http://${DEVELOPMENT.name}.table.storage.test:${port}` };
}

test("the name of an account that does not exist is refused", async () => {
  const credential = new AzureNamedKeyCredential("nobody", DEVELOPMENT.key);
  const client = new TableServiceClient(`${ORIGIN}/nobody`, credential, OPTIONS);
  await assert.rejects(all(client.listTables()), (e) => e.statusCode === 403 || e.statusCode === 404);
});
