import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { data, freshTable, refused } from "./support.mjs";

const KEYS = { partitionKey: "p", rowKey: "r" };

/** What a property comes back as, first in JavaScript's types and then with the type the service holds. */
async function roundTrip(table, value) {
  await table.upsertEntity({ ...KEYS, value }, "Replace");
  const plain = await table.getEntity("p", "r");
  const typed = await table.getEntity("p", "r", { disableTypeConversion: true });
  return [plain.value, typed.value];
}

const SAME = [
  ["an empty string", "", { type: "String", value: "" }],
  ["a string", "text", { type: "String", value: "text" }],
  ["a string of all planes", "aé漢😀\u{10FFFF}'\"\\\n\t", { type: "String", value: "aé漢😀\u{10FFFF}'\"\\\n\t" }],
  ["a string that looks like a date", "2020-01-01T00:00:00Z", { type: "String", value: "2020-01-01T00:00:00Z" }],
  ["true", true, { type: "Boolean", value: "true" }],
  ["false", false, { type: "Boolean", value: "false" }],
  ["zero", 0, { type: "Int32", value: "0" }],
  ["the largest Int32", 2147483647, { type: "Int32", value: "2147483647" }],
  ["the smallest Int32", -2147483648, { type: "Int32", value: "-2147483648" }],
  ["a fraction", 3.14, { type: "Double", value: "3.14" }],
  ["a large Double", 1.7976931348623157e308, { type: "Double", value: "1.7976931348623157e+308" }],
  ["a small Double", 5e-324, { type: "Double", value: "5e-324" }],
  ["a bigint", 9007199254740993n, { type: "Int64", value: "9007199254740993" }],
  ["the largest Int64", 2n ** 63n - 1n, { type: "Int64", value: "9223372036854775807" }],
  ["the smallest Int64", -(2n ** 63n), { type: "Int64", value: "-9223372036854775808" }],
  ["a date", new Date("2024-02-29T12:34:56.789Z"), { type: "DateTime", value: "2024-02-29T12:34:56.789Z" }],
  ["a date of whole seconds", new Date("2024-02-29T12:34:56Z"), { type: "DateTime", value: "2024-02-29T12:34:56Z" }],
  ["the earliest date", new Date("1601-01-01T00:00:00Z"), { type: "DateTime", value: "1601-01-01T00:00:00Z" }],
];

for (const [name, value, typed] of SAME) {
  test(`${name} comes back as it was`, async (t) => {
    assert.deepEqual(await roundTrip(await freshTable(t), value), [value, typed]);
  });
}

const EDM = [
  [{ type: "String", value: "text" }, "text", { type: "String", value: "text" }],
  [{ type: "Boolean", value: "true" }, true, { type: "Boolean", value: "true" }],
  [{ type: "Boolean", value: false }, false, { type: "Boolean", value: "false" }],
  [{ type: "Int32", value: "42" }, 42, { type: "Int32", value: "42" }],
  [{ type: "Int32", value: -42 }, -42, { type: "Int32", value: "-42" }],
  [{ type: "Int64", value: "-9007199254740993" }, -9007199254740993n, { type: "Int64", value: "-9007199254740993" }],
  [{ type: "Double", value: "1.5" }, 1.5, { type: "Double", value: "1.5" }],
  [{ type: "Double", value: 2.5e-7 }, 2.5e-7, { type: "Double", value: "2.5e-7" }],
  [{ type: "Double", value: "NaN" }, "NaN", { type: "Double", value: "NaN" }],
  [{ type: "Double", value: "Infinity" }, "Infinity", { type: "Double", value: "Infinity" }],
  [{ type: "Double", value: "-Infinity" }, "-Infinity", { type: "Double", value: "-Infinity" }],
  [
    { type: "DateTime", value: "2024-02-29T12:34:56.1234567Z" },
    new Date("2024-02-29T12:34:56.123Z"),
    { type: "DateTime", value: "2024-02-29T12:34:56.1234567Z" },
  ],
  [
    { type: "DateTime", value: "9999-12-31T23:59:59.9999999Z" },
    new Date("9999-12-31T23:59:59.999Z"),
    { type: "DateTime", value: "9999-12-31T23:59:59.9999999Z" },
  ],
  [
    { type: "Guid", value: "3F2504E0-4F89-11D3-9A0C-0305E82C3301" },
    { type: "Guid", value: "3f2504e0-4f89-11d3-9a0c-0305e82c3301" },
    { type: "Guid", value: "3f2504e0-4f89-11d3-9a0c-0305e82c3301" },
  ],
  [{ type: "Binary", value: "AAEC/w==" }, new Uint8Array([0, 1, 2, 255]), { type: "Binary", value: "AAEC/w==" }],
];

for (const [sent, plain, typed] of EDM) {
  test(`{type: ${sent.type}, value: ${JSON.stringify(sent.value)}} keeps its type`, async (t) => {
    const [gotPlain, gotTyped] = await roundTrip(await freshTable(t), sent);
    // The SDK decodes into a Buffer, which is a Uint8Array but not equal to one.
    assert.deepEqual(gotPlain instanceof Uint8Array ? new Uint8Array(gotPlain) : gotPlain, plain);
    assert.deepEqual(gotTyped, typed);
  });
}

test("a whole number that is too large for Int32 becomes a Double", async (t) => {
  const table = await freshTable(t);
  for (const number of [2147483648, -2147483649, Number.MAX_SAFE_INTEGER, 1e21]) {
    await table.upsertEntity({ ...KEYS, value: number }, "Replace");
    let body;
    const entity = await table.getEntity("p", "r", { onResponse: (response) => (body = response.bodyAsText) });
    assert.equal(entity.value, number);
    assert.match(body, /"value":-?[\d.]+(\.0|E\+\d+)}/);
  }
});

test("dates with another zone, or with none, are kept in UTC", async (t) => {
  const table = await freshTable(t);
  for (const value of ["2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00", "2024-01-01T00:00:00.0000000Z"]) {
    const [, typed] = await roundTrip(table, { type: "DateTime", value });
    assert.deepEqual(typed, { type: "DateTime", value: "2024-01-01T00:00:00Z" });
  }
});

test("whole numbers sent as Double stay Double on the wire", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ ...KEYS, value: { type: "Double", value: 5 } });
  let body;
  await table.getEntity("p", "r", { onResponse: (response) => (body = response.bodyAsText) });
  assert.match(body, /"value":5\.0[,}]/);
});

test("binaries of every length up to the limit come back as they were", async (t) => {
  const table = await freshTable(t);
  for (const length of [0, 1, 2, 3, 255, 64 * 1024]) {
    const bytes = new Uint8Array(randomBytes(length));
    const [plain] = await roundTrip(table, bytes);
    assert.deepEqual(new Uint8Array(plain), bytes);
  }
  await refused(
    table.upsertEntity({ ...KEYS, value: new Uint8Array(64 * 1024 + 1) }, "Replace"),
    400,
    "PropertyValueTooLarge",
  );
});

test("null and undefined are not stored", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ ...KEYS, nothing: null, nowhere: undefined, something: 0 });
  assert.deepEqual(data(await table.getEntity("p", "r")), { ...KEYS, something: 0 });
});

test("all types live in one entity", async (t) => {
  const table = await freshTable(t);
  const entity = {
    ...KEYS,
    text: "text",
    flag: true,
    int: 1,
    double: 1.5,
    long: 1n,
    when: new Date(1),
    id: { type: "Guid", value: "00000000-0000-0000-0000-000000000001" },
  };
  await table.createEntity({ ...entity, bytes: new Uint8Array([1, 2, 3]) });
  const { bytes, ...rest } = data(await table.getEntity("p", "r"));
  assert.deepEqual(rest, entity);
  assert.deepEqual([...bytes], [1, 2, 3]);
});

const ILL_FORMED = [
  { type: "Int32", value: "2147483648" },
  { type: "Int64", value: "9223372036854775808" },
  { type: "Int64", value: "many" },
  { type: "Guid", value: "not-a-guid" },
  { type: "DateTime", value: "yesterday" },
  { type: "Binary", value: "%%%" },
  { type: "Double", value: "1,5" },
];

for (const value of ILL_FORMED) {
  test(`${value.type} ${value.value} is refused`, async (t) => {
    const table = await freshTable(t);
    await refused(table.createEntity({ ...KEYS, value }), 400, "InvalidInput");
  });
}

test("a date before the first one is refused", async (t) => {
  const table = await freshTable(t);
  await refused(table.createEntity({ ...KEYS, value: new Date("1600-12-31T23:59:59Z") }), 400, "OutOfRangeInput");
});

test("the server alone sets the timestamp", async (t) => {
  const table = await freshTable(t);
  await table.createEntity({ ...KEYS, timestamp: new Date(0) });
  assert.ok(Date.parse((await table.getEntity("p", "r")).timestamp) > Date.parse("2020-01-01"));
});
