import assert from "node:assert/strict";
import { test } from "node:test";
import { all, data, freshTable, refused, withResponse } from "./support.mjs";

const ETAG = /^W\/"datetime'\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d(\.\d{1,7})?Z'"$/;

test("a created entity comes back with its keys, etag and time", async (t) => {
  const table = await freshTable(t);
  const before = Date.now();
  const created = await table.createEntity({ partitionKey: "p", rowKey: "r", name: "Ada" });
  assert.match(created.etag, ETAG);
  assert.equal(created.preferenceApplied, "return-no-content");
  assert.match(created.requestId, /^[0-9a-f-]{36}$/);
  assert.equal(created.version, "2019-02-02");
  assert.ok(created.date instanceof Date);

  const entity = await table.getEntity("p", "r");
  assert.deepEqual(data(entity), { partitionKey: "p", rowKey: "r", name: "Ada" });
  assert.equal(entity.etag, created.etag);
  // The clocks of one machine agree, give or take how finely a date header tells the time.
  assert.ok(Math.abs(Date.parse(entity.timestamp) - before) < 60_000, entity.timestamp);
});

test("the client's request id is echoed", async (t) => {
  const table = await freshTable(t);
  const created = await table.createEntity({ partitionKey: "p", rowKey: "r" });
  assert.match(created.clientRequestId, /^[0-9a-f-]{36}$/);
});

test("creating an entity twice is a conflict", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r" });
  const error = await refused(table.createEntity({ partitionKey: "p", rowKey: "r" }), 409, "EntityAlreadyExists");
  assert.equal(error.name, "RestError");
  assert.equal(error.details.odataError.message.lang, "en-US");
  assert.match(
    error.details.odataError.message.value,
    /^The specified entity already exists\.\nRequestId:[0-9a-f-]{36}\nTime:\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  );
});

test("a missing entity is not found, whatever is asked of it", async (t) => {
  const table = await freshTable(t);
  await refused(table.getEntity("p", "r"), 404, "ResourceNotFound");
  await refused(table.updateEntity({ partitionKey: "p", rowKey: "r" }, "Merge"), 404, "ResourceNotFound");
  await refused(table.updateEntity({ partitionKey: "p", rowKey: "r" }, "Replace"), 404, "ResourceNotFound");
  await refused(table.deleteEntity("p", "r"), 404, "ResourceNotFound");
});

test("merging keeps what it does not name, and a null changes nothing", async (t) => {
  const table = await freshTable(t);
  const created = await table.createEntity({ partitionKey: "p", rowKey: "r", a: 1, b: "old", c: true });
  const merged = await table.updateEntity({ partitionKey: "p", rowKey: "r", b: 2, c: null, d: "new" }, "Merge");
  assert.match(merged.etag, ETAG);
  assert.notEqual(merged.etag, created.etag);
  const entity = await table.getEntity("p", "r");
  assert.deepEqual(data(entity), { partitionKey: "p", rowKey: "r", a: 1, b: 2, c: true, d: "new" });
  assert.equal(entity.etag, merged.etag);
});

test("merging is what an update does by default", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r", a: 1 });
  await table.updateEntity({ partitionKey: "p", rowKey: "r", b: 2 });
  assert.deepEqual(data(await table.getEntity("p", "r")), { partitionKey: "p", rowKey: "r", a: 1, b: 2 });
});

test("replacing drops what it does not name", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r", a: 1, b: 2 });
  await table.updateEntity({ partitionKey: "p", rowKey: "r", c: 3 }, "Replace");
  assert.deepEqual(data(await table.getEntity("p", "r")), { partitionKey: "p", rowKey: "r", c: 3 });
});

for (const mode of ["Merge", "Replace"]) {
  test(`${mode} with the current etag succeeds, and with a stale one is refused`, async (t) => {
    const table = await freshTable(t);
    const { etag: first } = await table.createEntity({ partitionKey: "p", rowKey: "r", n: 1 });
    const { etag: second } = await table.updateEntity({ partitionKey: "p", rowKey: "r", n: 2 }, mode, { etag: first });
    assert.notEqual(second, first);
    await refused(
      table.updateEntity({ partitionKey: "p", rowKey: "r", n: 3 }, mode, { etag: first }),
      412,
      "UpdateConditionNotSatisfied",
    );
    assert.equal((await table.getEntity("p", "r")).n, 2);
  });

  test(`upserting with ${mode} creates what is missing`, async (t) => {
    const table = await freshTable(t);
    const { etag } = await table.upsertEntity({ partitionKey: "p", rowKey: "r", n: 1 }, mode);
    assert.match(etag, ETAG);
    const entity = await table.getEntity("p", "r");
    assert.equal(entity.n, 1);
    assert.equal(entity.etag, etag);
  });
}

test("upserting with Merge keeps the other properties, with Replace it drops them", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r", a: 1 });
  await table.upsertEntity({ partitionKey: "p", rowKey: "r", b: 2 }, "Merge");
  assert.deepEqual(data(await table.getEntity("p", "r")), { partitionKey: "p", rowKey: "r", a: 1, b: 2 });
  await table.upsertEntity({ partitionKey: "p", rowKey: "r", c: 3 }, "Replace");
  assert.deepEqual(data(await table.getEntity("p", "r")), { partitionKey: "p", rowKey: "r", c: 3 });
});

test("an entity that was read can be written back as it is", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r", n: 1n, when: new Date(0), id: guid() });
  const read = await table.getEntity("p", "r");
  await table.updateEntity({ ...read, more: 1 }, "Replace", { etag: read.etag });
  assert.deepEqual(data(await table.getEntity("p", "r")), { ...data(read), more: 1 });
});

test("a deleted entity is gone", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r" });
  const deleted = await withResponse((options) => table.deleteEntity("p", "r", options));
  assert.equal(deleted.response.status, 204);
  await refused(table.getEntity("p", "r"), 404, "ResourceNotFound");
});

test("deleting with a stale etag is refused, with the current one it succeeds", async (t) => {
  const table = await freshTable(t);
  const { etag: first } = await table.createEntity({ partitionKey: "p", rowKey: "r" });
  const { etag: second } = await table.upsertEntity({ partitionKey: "p", rowKey: "r" }, "Replace");
  await refused(table.deleteEntity("p", "r", { etag: first }), 412, "UpdateConditionNotSatisfied");
  await table.deleteEntity("p", "r", { etag: second });
  await refused(table.getEntity("p", "r"), 404, "ResourceNotFound");
});

test("an etag that is none is refused", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r" });
  await refused(table.updateEntity({ partitionKey: "p", rowKey: "r" }, "Merge", { etag: "mine" }), 400, "InvalidInput");
});

test("of writers that race on one etag exactly one wins", async (t) => {
  const table = await freshTable(t);
  const { etag } = await table.createEntity({ partitionKey: "p", rowKey: "r", winner: -1 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, winner) =>
      table.updateEntity({ partitionKey: "p", rowKey: "r", winner }, "Replace", { etag }),
    ),
  );
  const won = outcomes.flatMap((outcome, i) => (outcome.status === "fulfilled" ? [i] : []));
  assert.equal(won.length, 1);
  assert.equal((await table.getEntity("p", "r")).winner, won[0]);
  for (const { reason } of outcomes.filter((outcome) => outcome.status === "rejected")) {
    assert.equal(reason.statusCode, 412);
  }
});

test("selecting gives only the named properties, and null for one that is missing", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r", a: 1, b: 2 });
  const entity = await table.getEntity("p", "r", { queryOptions: { select: ["a", "missing", "rowKey", "etag"] } });
  assert.match(entity.etag, ETAG);
  const { etag, "odata.metadata": metadata, ...rest } = entity;
  assert.deepEqual(rest, { rowKey: "r", a: 1, missing: null });
  assert.match(metadata, /\/\$metadata#t[0-9a-f]+\/@Element&\$select=/);
});

test("an entity without one of its keys is refused", async (t) => {
  const table = await freshTable(t);
  await refused(table.createEntity({ partitionKey: "p" }), 400, "PropertiesNeedValue");
  await refused(table.createEntity({ rowKey: "r" }), 400, "PropertiesNeedValue");
});

test("limits of an entity are kept", async (t) => {
  const table = await freshTable(t);
  const keys = { partitionKey: "p", rowKey: "r" };
  const properties = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));
  await table.createEntity({ ...keys, ...properties(252) });
  await refused(table.upsertEntity({ ...keys, ...properties(253) }, "Replace"), 400, "TooManyProperties");
  await table.upsertEntity({ ...keys, text: "x".repeat(32 * 1024) }, "Replace");
  await refused(table.upsertEntity({ ...keys, text: "x".repeat(32 * 1024 + 1) }, "Replace"), 400, "PropertyValueTooLarge");
  await refused(table.upsertEntity({ ...keys, ["n".repeat(256)]: 1 }, "Replace"), 400, "PropertyNameTooLong");
  const large = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`p${i}`, "x".repeat(32 * 1024)]));
  await refused(table.upsertEntity({ ...keys, ...large }, "Replace"), 400, "EntityTooLarge");
});

for (const name of ["a-b", "1a", "a b", "a.b", "a$", ""]) {
  test(`property name "${name}" is refused`, async (t) => {
    const table = await freshTable(t);
    await refused(table.createEntity({ partitionKey: "p", rowKey: "r", [name]: 1 }), 400, "PropertyNameInvalid");
  });
}

test("a key that is not a string is refused", async (t) => {
  const table = await freshTable(t);
  const entity = { partitionKey: { type: "Int32", value: 5 }, rowKey: "r" };
  await refused(table.createEntity(entity), 400, "InvalidInput");
});

test("property names keep their case", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ partitionKey: "p", rowKey: "r", Name: "upper", name: "lower", straße: 1, 名前: 2 });
  assert.deepEqual(data(await table.getEntity("p", "r")), {
    partitionKey: "p",
    rowKey: "r",
    Name: "upper",
    name: "lower",
    straße: 1,
    名前: 2,
  });
  assert.equal((await all(table.listEntities())).length, 1);
});

function guid() {
  return { type: "Guid", value: "3f2504e0-4f89-11d3-9a0c-0305e82c3301" };
}
