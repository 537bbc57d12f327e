// LanceDB, which keeps tables and their indexes as blobs. Every test has a database of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as lancedb from "@lancedb/lancedb";
import { ACCOUNT, CONTAINER, ENDPOINT, KEY } from "./server.mjs";

function connect(database) {
  return lancedb.connect(`az://${CONTAINER}/${database}`, {
    storageOptions: {
      azure_storage_account_name: ACCOUNT,
      azure_storage_account_key: KEY,
      azure_storage_endpoint: ENDPOINT,
      allow_http: "true",
    },
  });
}

/** Rows whose vectors lie on a line, so that the nearest are known. */
const rows = (from, count) =>
  Array.from({ length: count }, (_, i) => ({ id: from + i, vector: [from + i, 0], text: `row number ${from + i}` }));

const ids = async (query) => (await query.toArray()).map((row) => Number(row.id)).sort((a, b) => a - b);

test("tables are made, listed, opened and dropped", async () => {
  const db = await connect("tables");
  assert.deepEqual(await db.tableNames(), []);
  await db.createTable("first", rows(0, 3));
  await db.createTable("second", rows(0, 3));
  await assert.rejects(db.createTable("first", rows(0, 3)), /already exists/);
  assert.deepEqual(await db.tableNames(), ["first", "second"]);
  assert.equal(await (await (await connect("tables")).openTable("first")).countRows(), 3);
  await db.dropTable("first");
  assert.deepEqual(await db.tableNames(), ["second"]);
  await assert.rejects(db.openTable("first"), /not found/);
  await db.dropAllTables();
  assert.deepEqual(await db.tableNames(), []);
});

test("rows are added, changed, merged and deleted", async () => {
  const db = await connect("rows");
  const table = await db.createTable("rows", rows(0, 10));
  await table.add(rows(10, 10));
  assert.equal(await table.countRows(), 20);
  await table.update({ where: "id = 4", values: { text: "changed" } });
  assert.equal((await table.query().where("id = 4").toArray())[0].text, "changed");
  await table.delete("id >= 15");
  assert.equal(await table.countRows(), 15);
  await table
    .mergeInsert("id")
    .whenMatchedUpdateAll()
    .whenNotMatchedInsertAll()
    .execute([
      { id: 0, vector: [0, 0], text: "merged" },
      { id: 99, vector: [99, 0], text: "new" },
    ]);
  assert.equal(await table.countRows("text = 'merged' or text = 'new'"), 2);
  assert.equal(await table.countRows(), 16);
});

test("queries find the nearest vectors and what a filter selects", async () => {
  const db = await connect("queries");
  const table = await db.createTable("rows", rows(0, 100));
  assert.deepEqual(await ids(table.query().nearestTo([50.1, 0]).limit(3)), [49, 50, 51]);
  assert.deepEqual(await ids(table.query().where("id > 96").select(["id"])), [97, 98, 99]);
  assert.deepEqual(await ids(table.query().nearestTo([0, 0]).where("id >= 42").limit(2)), [42, 43]);
});

test("indexes of vectors, numbers and words are built and used", async () => {
  const db = await connect("indexes");
  const table = await db.createTable("rows", rows(0, 1000));
  await table.createIndex("vector", { config: lancedb.Index.ivfFlat({ numPartitions: 4 }) });
  await table.createIndex("id", { config: lancedb.Index.btree() });
  await table.createIndex("text", { config: lancedb.Index.fts() });
  assert.deepEqual((await table.listIndices()).map((index) => index.columns[0]).sort(), ["id", "text", "vector"]);
  assert.deepEqual(await ids(table.query().nearestTo([500.1, 0]).nprobes(4).limit(3)), [499, 500, 501]);
  assert.deepEqual(await ids(table.query().where("id = 123").select(["id"])), [123]);
  assert.deepEqual(await ids(table.query().fullTextSearch("321", { columns: ["text"] }).select(["id"])), [321]);
});

test("an earlier version can be read and restored", async () => {
  const db = await connect("versions");
  const table = await db.createTable("rows", rows(0, 5));
  const before = await table.version();
  await table.delete("id >= 2");
  assert.equal(await table.countRows(), 2);
  await table.checkout(before);
  assert.equal(await table.countRows(), 5);
  await table.restore();
  assert.equal(await (await (await connect("versions")).openTable("rows")).countRows(), 5);
});

test("optimizing joins fragments and removes old versions", async () => {
  const db = await connect("optimize");
  const table = await db.createTable("rows", rows(0, 10));
  for (let i = 1; i < 8; i++) {
    await table.add(rows(i * 10, 10));
  }
  const { compaction, prune } = await table.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  assert.ok(compaction.fragmentsRemoved > 0);
  assert.ok(prune.oldVersionsRemoved > 0);
  assert.equal(await table.countRows(), 80);
  assert.equal((await table.listVersions()).length, 1);
});

test("writers that race for the next version do not lose rows", async () => {
  const db = await connect("race");
  await db.createTable("rows", rows(0, 1));
  const writers = await Promise.all([1, 2, 3, 4].map(async () => (await connect("race")).openTable("rows")));
  await Promise.all(writers.map((table, i) => table.add(rows(10 * (i + 1), 10))));
  assert.equal(await (await db.openTable("rows")).countRows(), 41);
});
