import assert from "node:assert/strict";
import { test } from "node:test";
import { TableTransaction } from "@azure/data-tables";
import { all, data, freshName, freshTable, refused, tableClient } from "./support.mjs";

const entity = (rowKey, properties = {}) => ({ partitionKey: "p", rowKey, ...properties });

async function rowKeys(table) {
  return (await all(table.listEntities())).map(({ rowKey }) => rowKey);
}

test("every kind of operation takes part in one transaction", async (t) => {
  const table = await freshTable(t);
  for (const rowKey of ["merged", "replaced", "upsertMerged", "upsertReplaced", "deleted"]) {
    await table.createEntity(entity(rowKey, { old: 1 }));
  }
  const transaction = new TableTransaction();
  transaction.createEntity(entity("created", { n: 1n }));
  transaction.updateEntity(entity("merged", { fresh: 2 }), "Merge");
  transaction.updateEntity(entity("replaced", { fresh: 2 }), "Replace");
  transaction.upsertEntity(entity("upsertMerged", { fresh: 2 }), "Merge");
  transaction.upsertEntity(entity("upsertReplaced", { fresh: 2 }), "Replace");
  transaction.upsertEntity(entity("upsertCreated", { fresh: 2 }));
  transaction.deleteEntity("p", "deleted");

  const response = await table.submitTransaction(transaction.actions);

  assert.equal(response.status, 202);
  assert.deepEqual(response.subResponses.map(({ status }) => status), Array(7).fill(204));
  assert.deepEqual((await all(table.listEntities())).map(data), [
    entity("created", { n: 1n }),
    entity("merged", { old: 1, fresh: 2 }),
    entity("replaced", { fresh: 2 }),
    entity("upsertCreated", { fresh: 2 }),
    entity("upsertMerged", { old: 1, fresh: 2 }),
    entity("upsertReplaced", { fresh: 2 }),
  ]);
});

test("the answer tells the etag of each written entity", async (t) => {
  const table = await freshTable(t);
  const { subResponses, getResponseForEntity } = await table.submitTransaction([
    ["create", entity("a")],
    ["upsert", entity("b"), "Replace"],
  ]);
  assert.equal(subResponses[0].rowKey, "a");
  // The SDK leaves the carriage return that ends the line on the etag.
  assert.equal(getResponseForEntity("a").etag.trim(), (await table.getEntity("p", "a")).etag);
  assert.equal(subResponses[1].etag.trim(), (await table.getEntity("p", "b")).etag);
});

test("a hundred operations are one transaction", async (t) => {
  const table = await freshTable(t);
  const names = Array.from({ length: 100 }, (_, n) => String(n).padStart(3, "0"));
  const created = await table.submitTransaction(names.map((name) => ["create", entity(name)]));
  assert.equal(created.subResponses.length, 100);
  assert.deepEqual(created.subResponses.map(({ rowKey }) => rowKey), names);
  assert.deepEqual(await rowKeys(table), names);
  await table.submitTransaction(names.map((name) => ["delete", entity(name)]));
  assert.deepEqual(await rowKeys(table), []);
});

test("more than a hundred operations are refused", async (t) => {
  const table = await freshTable(t);
  const actions = Array.from({ length: 101 }, (_, n) => ["create", entity(String(n))]);
  const error = await refused(table.submitTransaction(actions), 400, "InvalidInput");
  assert.match(error.message, /^\d+:The batch request operation exceeds the maximum 100 changes per change set\./);
  assert.deepEqual(await rowKeys(table), []);
});

test("a failing operation undoes the others and is named by its index", async (t) => {
  const table = await freshTable(t);
  await table.createEntity(entity("there"));
  const error = await refused(
    table.submitTransaction([
      ["create", entity("a")],
      ["create", entity("b")],
      ["create", entity("there")],
      ["create", entity("c")],
    ]),
    409,
    "EntityAlreadyExists",
  );
  assert.equal(error.code, "EntityAlreadyExists");
  assert.match(error.message, /^2:The specified entity already exists\.\nRequestId:/);
  assert.deepEqual(await rowKeys(table), ["there"]);
});

test("updating or deleting what is missing fails the transaction", async (t) => {
  const table = await freshTable(t);
  const missing = entity("missing");
  for (const action of [["update", missing, "Merge"], ["update", missing, "Replace"], ["delete", missing]]) {
    const error = await refused(table.submitTransaction([["create", entity("a")], action]), 404, "ResourceNotFound");
    assert.match(error.message, /^1:The specified resource does not exist\./);
  }
  assert.deepEqual(await rowKeys(table), []);
});

test("a stale etag fails the transaction and a current one does not", async (t) => {
  const table = await freshTable(t);
  const { etag: stale } = await table.createEntity(entity("a", { n: 1 }));
  const { etag: current } = await table.upsertEntity(entity("a", { n: 2 }), "Replace");
  const update = (etag) => {
    const transaction = new TableTransaction();
    transaction.createEntity(entity("b"));
    transaction.updateEntity(entity("a", { n: 3 }), "Replace", { etag });
    return table.submitTransaction(transaction.actions);
  };
  const error = await refused(update(stale), 412, "UpdateConditionNotSatisfied");
  assert.match(error.message, /^1:The update condition specified in the request was not satisfied\./);
  assert.deepEqual(await rowKeys(table), ["a"]);
  await update(current);
  assert.equal((await table.getEntity("p", "a")).n, 3);
});

test("an entity may take part only once", async (t) => {
  const table = await freshTable(t);
  const error = await refused(
    table.submitTransaction([
      ["create", entity("a")],
      ["upsert", entity("a")],
    ]),
    400,
    "InvalidDuplicateRow",
  );
  assert.match(error.message, /^1:The batch request contains multiple changes with same row key\./);
});

test("an ill-formed value fails the transaction with its index", async (t) => {
  const table = await freshTable(t);
  const error = await refused(
    table.submitTransaction([
      ["create", entity("a")],
      ["create", entity("b", { id: { type: "Guid", value: "none" } })],
    ]),
    400,
    "InvalidInput",
  );
  assert.match(error.message, /^1:/);
  assert.deepEqual(await rowKeys(table), []);
});

test("a transaction on a missing table is refused", async () => {
  const error = await refused(
    tableClient(freshName()).submitTransaction([["create", entity("a")]]),
    404,
    "TableNotFound",
  );
  assert.match(error.message, /^0:The table specified does not exist\./);
});

test("a transaction over 4 MiB is refused", async (t) => {
  const table = await freshTable(t);
  const wide = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`p${n}`, "x".repeat(30_000)]));
  const actions = Array.from({ length: 12 }, (_, n) => ["create", entity(String(n), wide)]);
  await refused(table.submitTransaction(actions), 413, "RequestBodyTooLarge");
  assert.deepEqual(await rowKeys(table), []);
});

test("values of all types and scripts survive a transaction", async (t) => {
  const table = await freshTable(t);
  const sent = entity("it's ☃ --boundary", {
    text: "line\r\n--changeset_x--\r\n😀",
    double: { type: "Double", value: "Infinity" },
    when: new Date(1_700_000_000_123),
    id: { type: "Guid", value: "3f2504e0-4f89-11d3-9a0c-0305e82c3301" },
    long: -(2n ** 63n),
  });
  await table.submitTransaction([["create", sent]]);
  assert.deepEqual(data(await table.getEntity("p", sent.rowKey)), { ...sent, double: "Infinity" });
});

test("of transactions that race to create one entity exactly one is applied, and whole", async (t) => {
  const table = await freshTable(t);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) =>
      table.submitTransaction([
        ["create", entity(`own${n}`)],
        ["create", entity("shared", { winner: n })],
      ]),
    ),
  );
  const won = outcomes.flatMap(({ status }, n) => (status === "fulfilled" ? [n] : []));
  assert.equal(won.length, 1);
  assert.deepEqual(await rowKeys(table), [`own${won[0]}`, "shared"]);
});
