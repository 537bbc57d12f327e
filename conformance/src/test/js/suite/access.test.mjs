import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AzureNamedKeyCredential,
  AzureSASCredential,
  TableClient,
  TableServiceClient,
  generateAccountSas,
  generateTableSas,
} from "@azure/data-tables";
import { DEVELOPMENT, SECOND } from "./accounts.mjs";
import {
  CREDENTIAL,
  ENDPOINT,
  OPTIONS,
  ORIGIN,
  all,
  defined,
  freshName,
  freshTable,
  refused,
  tableClient,
} from "./support.mjs";

const HOUR = 3_600_000;
const soon = () => new Date(Date.now() + HOUR);
const past = () => new Date(Date.now() - HOUR);
const entity = (partitionKey, rowKey, properties = {}) => ({ partitionKey, rowKey, ...properties });

function withTableSas(table, options) {
  const sas = generateTableSas(table.tableName, CREDENTIAL, options);
  return new TableClient(ENDPOINT, table.tableName, new AzureSASCredential(sas), OPTIONS);
}

function withAccountSas(options) {
  return new TableServiceClient(ENDPOINT, new AzureSASCredential(generateAccountSas(CREDENTIAL, options)), OPTIONS);
}

function tableWithAccountSas(name, options) {
  return new TableClient(ENDPOINT, name, new AzureSASCredential(generateAccountSas(CREDENTIAL, options)), OPTIONS);
}

/** The keys of what a client sees. */
async function seen(client, queryOptions) {
  return (await all(client.listEntities({ queryOptions }))).map((e) => `${e.partitionKey}/${e.rowKey}`);
}

test("a wrong key is refused", async () => {
  const credential = new AzureNamedKeyCredential(DEVELOPMENT.name, Buffer.from("wrong").toString("base64"));
  const client = new TableServiceClient(ENDPOINT, credential, OPTIONS);
  await refused(all(client.listTables()), 403, "AuthenticationFailed");
});

test("a key of another account is refused", async () => {
  const credential = new AzureNamedKeyCredential(SECOND.name, SECOND.key);
  const client = new TableServiceClient(ENDPOINT, credential, OPTIONS);
  await assert.rejects(all(client.listTables()), (e) => e.statusCode === 403 || e.statusCode === 400);
});

test("no credential at all is refused", async () => {
  const client = new TableServiceClient(ENDPOINT, OPTIONS);
  await refused(all(client.listTables()), 403, "AuthenticationFailed");
});

test("both keys of an account open it, also when one client changes from one to the other", async (t) => {
  const credential = new AzureNamedKeyCredential(SECOND.name, SECOND.key);
  const table = new TableClient(`${ORIGIN}/${SECOND.name}`, freshName(), credential, OPTIONS);
  await table.createTable();
  t.after(() => {
    credential.update(SECOND.name, SECOND.key);
    return table.deleteTable();
  });
  await table.createEntity(entity("p", "r"));
  credential.update(SECOND.name, SECOND.otherKey);
  assert.equal((await table.getEntity("p", "r")).rowKey, "r");
  credential.update(SECOND.name, DEVELOPMENT.key);
  await refused(table.getEntity("p", "r"), 403, "AuthenticationFailed");
});

test("accounts do not see each other's tables", async (t) => {
  const table = await freshTable(t);
  const credential = new AzureNamedKeyCredential(SECOND.name, SECOND.key);
  const other = new TableClient(`${ORIGIN}/${SECOND.name}`, table.tableName, credential, OPTIONS);
  await refused(all(other.listEntities()), 404, "TableNotFound");
});

test("a table SAS of the SDK's defaults reads and does not write", async (t) => {
  const table = await freshTable(t);
  await table.createEntity(entity("p", "r"));
  const reader = withTableSas(table);
  assert.equal((await reader.getEntity("p", "r")).rowKey, "r");
  assert.deepEqual(await seen(reader), ["p/r"]);
  await refused(reader.createEntity(entity("p", "s")), 403, "AuthorizationPermissionMismatch");
});

test("each permission of a table SAS allows its own operations only", async (t) => {
  const table = await freshTable(t);
  const operations = {
    query: (client) => client.getEntity("p", "r"),
    add: (client) => client.createEntity(entity("p", freshName())),
    update: (client) => client.updateEntity(entity("p", "r", { n: 1 })),
    delete: (client) => client.deleteEntity("p", "r"),
  };
  for (const granted of Object.keys(operations)) {
    const client = withTableSas(table, { permissions: { [granted]: true }, expiresOn: soon() });
    for (const [name, run] of Object.entries(operations)) {
      await table.upsertEntity(entity("p", "r"));
      if (name === granted) {
        await run(client);
      } else {
        await refused(run(client), 403, "AuthorizationPermissionMismatch");
      }
    }
  }
});

test("upserting by a table SAS takes the permissions to add and to update", async (t) => {
  const table = await freshTable(t);
  const both = withTableSas(table, { permissions: { add: true, update: true }, expiresOn: soon() });
  await both.upsertEntity(entity("p", "r"), "Merge");
  await both.upsertEntity(entity("p", "r"), "Replace");
  const one = withTableSas(table, { permissions: { add: true }, expiresOn: soon() });
  await refused(one.upsertEntity(entity("p", "r"), "Merge"), 403, "AuthorizationPermissionMismatch");
});

test("a table SAS signs transactions, and each operation needs its permission", async (t) => {
  const table = await freshTable(t);
  const adder = withTableSas(table, { permissions: { add: true }, expiresOn: soon() });
  await adder.submitTransaction([
    ["create", entity("p", "a")],
    ["create", entity("p", "b")],
  ]);
  await assert.rejects(
    adder.submitTransaction([
      ["create", entity("p", "c")],
      ["delete", entity("p", "a")],
    ]),
    { statusCode: 403 },
  );
  assert.deepEqual(await seen(table), ["p/a", "p/b"]);
});

test("a SAS in the URL works as one in a credential, in transactions too", async (t) => {
  const table = await freshTable(t);
  const permissions = { query: true, add: true };
  const sas = generateTableSas(table.tableName, CREDENTIAL, { permissions, expiresOn: soon() });
  const client = new TableClient(`${ENDPOINT}?${sas}`, table.tableName, OPTIONS);
  await client.createEntity(entity("p", "a"));
  await client.submitTransaction([["create", entity("p", "b")]]);
  assert.deepEqual(await seen(client), ["p/a", "p/b"]);
});

test("a table SAS opens no other table, and no table as a whole", async (t) => {
  const [table, other] = [await freshTable(t), await freshTable(t)];
  const sas = generateTableSas(table.tableName, CREDENTIAL, {
    permissions: { query: true, add: true, update: true, delete: true },
    expiresOn: soon(),
  });
  const elsewhere = new TableClient(ENDPOINT, other.tableName, new AzureSASCredential(sas), OPTIONS);
  await assert.rejects(all(elsewhere.listEntities()), { statusCode: 403 });
  const whole = new TableServiceClient(ENDPOINT, new AzureSASCredential(sas), OPTIONS);
  await assert.rejects(all(whole.listTables()), { statusCode: 403 });
  await assert.rejects(whole.deleteTable(table.tableName), { statusCode: 403 });
  const own = new TableClient(ENDPOINT, table.tableName, new AzureSASCredential(sas), OPTIONS);
  await assert.rejects(own.getAccessPolicy(), { statusCode: 403 });
});

test("a SAS that is over, not yet begun or altered is refused", async (t) => {
  const table = await freshTable(t);
  const permissions = { query: true };
  const over = withTableSas(table, { permissions, expiresOn: past() });
  await refused(all(over.listEntities()), 403, "AuthenticationFailed");
  const later = withTableSas(table, { permissions, startsOn: soon(), expiresOn: new Date(Date.now() + 2 * HOUR) });
  await refused(all(later.listEntities()), 403, "AuthenticationFailed");
  const sas = generateTableSas(table.tableName, CREDENTIAL, { permissions, expiresOn: soon() });
  const altered = new AzureSASCredential(sas.replace("sp=r", "sp=raud"));
  const client = new TableClient(ENDPOINT, table.tableName, altered, OPTIONS);
  await refused(all(client.listEntities()), 403, "AuthenticationFailed");
});

test("a SAS is bound to addresses and to the protocol it names", async (t) => {
  const table = await freshTable(t);
  const permissions = { query: true };
  const loopback = { start: "127.0.0.0", end: "127.255.255.255" };
  const here = withTableSas(table, { permissions, expiresOn: soon(), ipRange: loopback });
  assert.deepEqual(await seen(here), []);
  const elsewhere = withTableSas(table, { permissions, expiresOn: soon(), ipRange: { start: "203.0.113.7" } });
  await refused(all(elsewhere.listEntities()), 403, "AuthorizationSourceIPMismatch");
  const secure = withTableSas(table, { permissions, expiresOn: soon(), protocol: "https" });
  await refused(all(secure.listEntities()), 403, "AuthorizationProtocolMismatch");
  const either = withTableSas(table, { permissions, expiresOn: soon(), protocol: "https,http" });
  assert.deepEqual(await seen(either), []);
});

test("key ranges of a SAS bound what is seen and written", async (t) => {
  const table = await freshTable(t);
  for (const partitionKey of ["a", "b", "c", "d"]) {
    for (const rowKey of ["1", "2", "3"]) {
      await table.createEntity(entity(partitionKey, rowKey));
    }
  }
  const client = withTableSas(table, {
    permissions: { query: true, add: true, update: true, delete: true },
    expiresOn: soon(),
    startPartitionKey: "b",
    startRowKey: "2",
    endPartitionKey: "c",
    endRowKey: "2",
  });
  assert.deepEqual(await seen(client), ["b/2", "b/3", "c/1", "c/2"]);
  assert.deepEqual(await seen(client, { filter: "RowKey eq '2'" }), ["b/2", "c/2"]);
  assert.deepEqual(await seen(client, { filter: "PartitionKey eq 'a' or PartitionKey eq 'd'" }), []);
  const pages = await all(client.listEntities().byPage({ maxPageSize: 1 }));
  assert.equal(pages.flat().length, 4);

  assert.equal((await client.getEntity("b", "2")).rowKey, "2");
  await assert.rejects(client.getEntity("b", "1"), (e) => e.statusCode === 403 || e.statusCode === 404);
  await client.createEntity(entity("b", "9"));
  await client.deleteEntity("b", "9");
  for (const [partitionKey, rowKey] of [["b", "1"], ["c", "3"], ["a", "9"], ["d", "1"]]) {
    await refused(client.upsertEntity(entity(partitionKey, rowKey)), 403, "AuthorizationFailure");
    await refused(client.deleteEntity(partitionKey, rowKey), 403, "AuthorizationFailure");
  }
  await assert.rejects(
    client.submitTransaction([
      ["create", entity("c", "1x")],
      ["create", entity("c", "9")],
    ]),
    { statusCode: 403 },
  );
  assert.equal((await seen(table)).length, 12);
});

test("a range of partitions alone bounds no rows", async (t) => {
  const table = await freshTable(t);
  for (const partitionKey of ["a", "b", "c"]) {
    await table.createEntity(entity(partitionKey, "r"));
  }
  const permissions = { query: true };
  const from = withTableSas(table, { permissions, expiresOn: soon(), startPartitionKey: "b" });
  assert.deepEqual(await seen(from), ["b/r", "c/r"]);
  const only = withTableSas(table, { permissions, expiresOn: soon(), startPartitionKey: "b", endPartitionKey: "b" });
  assert.deepEqual(await seen(only), ["b/r"]);
});

test("access policies come back as they were set", async (t) => {
  const table = await freshTable(t);
  assert.deepEqual([...(await table.getAccessPolicy())], []);
  const policies = [
    {
      id: "whole",
      accessPolicy: {
        start: new Date("2024-01-01T00:00:00Z"),
        expiry: new Date("2099-12-31T23:59:59Z"),
        permission: "raud",
      },
    },
    { id: "only permission & <more>", accessPolicy: { permission: "r" } },
    { id: "only expiry", accessPolicy: { expiry: new Date("2099-01-01T00:00:00Z") } },
  ];
  await table.setAccessPolicy(policies);
  assert.deepEqual(defined([...(await table.getAccessPolicy())]), policies);
  await table.setAccessPolicy([]);
  assert.deepEqual([...(await table.getAccessPolicy())], []);
});

test("six access policies are one too many", async (t) => {
  const table = await freshTable(t);
  const policies = Array.from({ length: 6 }, (_, n) => ({ id: `p${n}`, accessPolicy: { permission: "r" } }));
  await table.setAccessPolicy(policies.slice(0, 5));
  await refused(table.setAccessPolicy(policies), 400, "InvalidXmlDocument");
  assert.equal((await table.getAccessPolicy()).length, 5);
});

test("access policies that the service cannot keep are refused", async (t) => {
  const table = await freshTable(t);
  const policy = (id, permission = "r") => ({ id, accessPolicy: { permission } });
  await refused(table.setAccessPolicy([policy("i".repeat(65))]), 400, "InvalidXmlDocument");
  await refused(table.setAccessPolicy([policy("same"), policy("same")]), 400, "InvalidXmlDocument");
  await refused(table.setAccessPolicy([policy("other", "x")]), 400, "InvalidXmlDocument");
  assert.deepEqual([...(await table.getAccessPolicy())], []);
});

test("access policies of a missing table are not found", async () => {
  const table = tableClient(freshName());
  await assert.rejects(table.getAccessPolicy(), { statusCode: 404 });
  await assert.rejects(table.setAccessPolicy([]), { statusCode: 404 });
});

test("a stored access policy grants until it is changed or removed", async (t) => {
  const table = await freshTable(t);
  const policy = (permission) => [{ id: "readers", accessPolicy: { start: past(), expiry: soon(), permission } }];
  await table.setAccessPolicy(policy("r"));
  const client = withTableSas(table, { identifier: "readers" });
  assert.deepEqual(await seen(client), []);
  await refused(client.createEntity(entity("p", "r")), 403, "AuthorizationPermissionMismatch");
  await table.setAccessPolicy(policy("ra"));
  await client.createEntity(entity("p", "r"));
  await table.setAccessPolicy([{ id: "readers", accessPolicy: { expiry: past(), permission: "r" } }]);
  await refused(all(client.listEntities()), 403, "AuthenticationFailed");
  await table.setAccessPolicy([]);
  await refused(all(client.listEntities()), 403, "AuthenticationFailed");
});

test("an account SAS of the SDK's defaults lists and reads, and does no more", async (t) => {
  const table = await freshTable(t);
  await table.createEntity(entity("p", "r"));
  const names = (await all(withAccountSas().listTables())).map(({ name }) => name);
  assert.ok(names.includes(table.tableName));
  assert.deepEqual(await seen(tableWithAccountSas(table.tableName)), ["p/r"]);
  await withAccountSas().getProperties();
  await refused(withAccountSas().createTable(freshName()), 403, "AuthorizationPermissionMismatch");
  await refused(withAccountSas().deleteTable(table.tableName), 403, "AuthorizationPermissionMismatch");
  await refused(
    tableWithAccountSas(table.tableName).createEntity(entity("p", "s")),
    403,
    "AuthorizationPermissionMismatch",
  );
});

test("an account SAS with all permissions does everything but access policies", async () => {
  const permissions = { query: true, write: true, delete: true, list: true, add: true, update: true };
  const options = { permissions, expiresOn: soon() };
  const table = tableWithAccountSas(freshName(), options);
  await table.createTable();
  await table.createEntity(entity("p", "r"));
  await table.upsertEntity(entity("p", "r"), "Replace");
  await table.updateEntity(entity("p", "r"), "Merge");
  await table.submitTransaction([
    ["create", entity("p", "s")],
    ["delete", entity("p", "r")],
  ]);
  assert.deepEqual(await seen(table), ["p/s"]);
  await assert.rejects(table.getAccessPolicy(), { statusCode: 403 });
  await table.deleteTable();
});

test("an account SAS is bound to its resource types and services", async (t) => {
  const table = await freshTable(t);
  const objects = { resourceTypes: "o" };
  assert.deepEqual(await seen(tableWithAccountSas(table.tableName, objects)), []);
  await refused(all(withAccountSas(objects).listTables()), 403, "AuthorizationResourceTypeMismatch");
  const blobs = { services: { blob: true } };
  await refused(all(withAccountSas(blobs).listTables()), 403, "AuthorizationServiceMismatch");
});

test("an updated SAS credential is used from the next request on", async (t) => {
  const table = await freshTable(t);
  const credential = new AzureSASCredential(generateTableSas(table.tableName, CREDENTIAL, { expiresOn: past() }));
  const client = new TableClient(ENDPOINT, table.tableName, credential, OPTIONS);
  await refused(all(client.listEntities()), 403, "AuthenticationFailed");
  credential.update(generateTableSas(table.tableName, CREDENTIAL));
  assert.deepEqual(await seen(client), []);
});

test("a SAS may be signed for a newer version of the service", async (t) => {
  const table = await freshTable(t);
  const tableSas = withTableSas(table, { permissions: { query: true }, expiresOn: soon(), version: "2020-12-06" });
  assert.deepEqual(await seen(tableSas), []);
  assert.ok(await all(withAccountSas({ version: "2020-12-06" }).listTables()));
});
