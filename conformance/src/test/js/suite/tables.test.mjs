import assert from "node:assert/strict";
import { test } from "node:test";
import { odata } from "@azure/data-tables";
import { all, freshName, freshTable, refused, service, tableClient, withResponse } from "./support.mjs";

/** Tables of which only this test knows, deleted when it ends. */
async function tablesWithPrefix(t, prefix, suffixes) {
  const names = suffixes.map((suffix) => prefix + suffix);
  await Promise.all(names.map((name) => service.createTable(name)));
  t.after(() => Promise.all(names.map((name) => service.deleteTable(name))));
  return names;
}

/** The service knows no startswith: a prefix is a range. */
function prefixFilter(prefix) {
  return odata`TableName ge ${prefix} and TableName lt ${prefix + "~"}`;
}

test("a created table is listed, and no longer once it is deleted", async () => {
  const name = freshName();
  const queryOptions = { filter: odata`TableName eq ${name}` };

  await service.createTable(name);
  assert.deepEqual(
    (await all(service.listTables({ queryOptions }))).map((table) => table.name),
    [name],
  );

  await service.deleteTable(name);
  assert.deepEqual(await all(service.listTables({ queryOptions })), []);
});

test("a table can be created and deleted through its own client", async () => {
  const table = tableClient(freshName());
  const created = await withResponse((options) => table.createTable(options));
  assert.equal(created.response.status, 201);
  assert.deepEqual(await all(table.listEntities()), []);

  const deleted = await withResponse((options) => table.deleteTable(options));
  assert.equal(deleted.response.status, 204);
  await refused(all(table.listEntities()), 404, "TableNotFound");
});

test("creating a table twice is tolerated by the SDK, which needs the exact error for that", async (t) => {
  const table = await freshTable(t);
  const again = await withResponse((options) => table.createTable(options));
  assert.equal(again.response.status, 409);
  assert.equal(again.response.parsedBody.odataError.code, "TableAlreadyExists");
  assert.match(again.response.parsedBody.odataError.message.value, /^The table specified already exists\.\nRequestId:/);
  await service.createTable(table.tableName.toUpperCase());
});

test("deleting a table that does not exist is tolerated by the SDK", async () => {
  await service.deleteTable(freshName());
  await tableClient(freshName()).deleteTable();
});

test("a table made anew under a deleted name is empty", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r" });
  await table.deleteTable();
  await table.createTable();
  assert.deepEqual(await all(table.listEntities()), []);
});

test("a table is found by its name in any case and listed as it was first written", async (t) => {
  const name = freshName("Mixed");
  await service.createTable(name);
  t.after(() => service.deleteTable(name));
  await tableClient(name.toLowerCase()).createEntity({ partitionKey: "p", rowKey: "r" });
  assert.equal((await tableClient(name.toUpperCase()).getEntity("p", "r")).rowKey, "r");
  const listed = await all(service.listTables({ queryOptions: { filter: odata`TableName eq ${name}` } }));
  assert.deepEqual(listed.map((table) => table.name), [name]);
});

test("names the service does not allow are refused", async () => {
  await refused(service.createTable("ab"), 400, "OutOfRangeInput");
  await refused(service.createTable("a".repeat(64)), 400, "OutOfRangeInput");
  await refused(service.createTable("with-dash"), 400, "InvalidResourceName");
  await refused(service.createTable("1digit"), 400, "InvalidResourceName");
  await refused(service.createTable("tables"), 400, "InvalidResourceName");
});

test("tables are listed by a range of names", async (t) => {
  const prefix = freshName("list");
  const [, b, c] = await tablesWithPrefix(t, prefix, ["a", "b", "c", "d"]);
  const filter = odata`TableName gt ${prefix + "a"} and TableName lt ${prefix + "d"}`;
  const listed = await all(service.listTables({ queryOptions: { filter } }));
  assert.deepEqual(listed.map((table) => table.name), [b, c]);
});

test("pages of tables join to the whole list", async (t) => {
  const prefix = freshName("page");
  const names = await tablesWithPrefix(t, prefix, ["a", "b", "c", "d", "e"]);
  const pages = await all(
    service.listTables({ queryOptions: { filter: prefixFilter(prefix) } }).byPage({ maxPageSize: 2 }),
  );
  assert.deepEqual(pages.map((page) => page.length).filter((length) => length > 0), [2, 2, 1]);
  assert.deepEqual(pages.flat().map((table) => table.name), names);
  assert.ok(pages[0].continuationToken);
  assert.equal(pages.at(-1).continuationToken, undefined);
});

test("a listing of tables goes on from a continuation token", async (t) => {
  const prefix = freshName("token");
  const names = await tablesWithPrefix(t, prefix, ["a", "b", "c"]);
  const queryOptions = { filter: prefixFilter(prefix) };
  const { value: first } = await service.listTables({ queryOptions }).byPage({ maxPageSize: 1 }).next();
  const rest = await all(
    service.listTables({ queryOptions }).byPage({ maxPageSize: 5, continuationToken: first.continuationToken }),
  );
  assert.deepEqual(rest.flat().map((table) => table.name), names.slice(1));
});

test("a malformed filter on tables is refused", async () => {
  await refused(all(service.listTables({ queryOptions: { filter: "aaa bbb ccc" } })), 400, "InvalidInput");
});

test("operations on a missing table are refused with TableNotFound", async () => {
  const table = tableClient(freshName());
  const entity = { partitionKey: "p", rowKey: "r" };
  await refused(table.createEntity(entity), 404, "TableNotFound");
  await refused(table.getEntity("p", "r"), 404, "TableNotFound");
  await refused(table.upsertEntity(entity, "Merge"), 404, "TableNotFound");
  await refused(table.upsertEntity(entity, "Replace"), 404, "TableNotFound");
  await refused(table.updateEntity(entity), 404, "TableNotFound");
  await refused(table.deleteEntity("p", "r"), 404, "TableNotFound");
  await refused(all(table.listEntities()), 404, "TableNotFound");
});
