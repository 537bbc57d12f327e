import assert from "node:assert/strict";
import { test } from "node:test";
import { odata } from "@azure/data-tables";
import { all, freshTable, refused } from "./support.mjs";

const KEYS = [
  "",
  " ",
  "it's",
  "''",
  "'",
  "a b",
  "a+b",
  "a%20b",
  "100%",
  "%27",
  "a%2Fb",
  "a&b=c",
  "a,b",
  "a;b",
  "a:b@c",
  "(a)",
  "RowKey='x'",
  '"quoted"',
  "<tag>",
  "[1]{2}",
  "a|b^c`d~e",
  "$batch",
  "é",
  "e\u0301",
  "日本語",
  "😀",
  "\u{10FFFF}",
  "\uFFFD",
  "k".repeat(512),
];

for (const key of KEYS) {
  const shown = key.length > 40 ? `a key of ${key.length} characters` : `key ${JSON.stringify(key)}`;
  test(`${shown} names one entity in every operation`, async (t) => {
    const table = await freshTable(t);
    const keys = { partitionKey: key, rowKey: key };
    const read = async () => {
      const { partitionKey, rowKey, n } = await table.getEntity(key, key);
      return { partitionKey, rowKey, n };
    };

    await table.createEntity({ ...keys, n: 1 });
    assert.deepEqual(await read(), { ...keys, n: 1 });
    await table.updateEntity({ ...keys, n: 2 }, "Merge");
    assert.deepEqual(await read(), { ...keys, n: 2 });
    await table.upsertEntity({ ...keys, n: 3 }, "Replace");
    assert.deepEqual(await read(), { ...keys, n: 3 });

    const filter = odata`PartitionKey eq ${key} and RowKey eq ${key}`;
    const found = await all(table.listEntities({ queryOptions: { filter } }));
    assert.deepEqual(found.map(({ partitionKey, rowKey }) => ({ partitionKey, rowKey })), [keys]);

    await table.submitTransaction([["update", { ...keys, n: 4 }, "Replace"]]);
    assert.deepEqual(await read(), { ...keys, n: 4 });
    await table.deleteEntity(key, key);
    assert.deepEqual(await all(table.listEntities()), []);
  });
}

test("pages go on behind any key", async (t) => {
  const table = await freshTable(t);
  await Promise.all(KEYS.map((rowKey) => table.createEntity({ partitionKey: "it's ☃", rowKey })));
  const pages = await all(table.listEntities().byPage({ maxPageSize: 1 }));
  // Ordinal order of UTF-16 units is also how JavaScript sorts.
  assert.deepEqual(pages.flat().map((entity) => entity.rowKey), [...KEYS].sort());
});

test("pages go on at empty keys", async (t) => {
  const table = await freshTable(t);
  const keys = ["", "a", "b"].flatMap((partitionKey) => ["", "r"].map((rowKey) => ({ partitionKey, rowKey })));
  await Promise.all(keys.map((key) => table.createEntity(key)));
  const pages = await all(table.listEntities().byPage({ maxPageSize: 1 }));
  assert.deepEqual(pages.flat().map(({ partitionKey, rowKey }) => ({ partitionKey, rowKey })), keys);
});

for (const key of ["a/b", "a\\b", "a#b", "a?b", "a\tb", "a\nb", "a\u007Fb", "a\u0085b"]) {
  test(`key ${JSON.stringify(key)} is refused`, async (t) => {
    const table = await freshTable(t);
    await refused(table.createEntity({ partitionKey: key, rowKey: "r" }), 400, "OutOfRangeInput");
    await refused(table.createEntity({ partitionKey: "p", rowKey: key }), 400, "OutOfRangeInput");
  });
}

test("a key that is too long is refused", async (t) => {
  const table = await freshTable(t);
  await refused(table.createEntity({ partitionKey: "k".repeat(513), rowKey: "r" }), 400, "PropertyValueTooLarge");
  await refused(table.createEntity({ partitionKey: "p", rowKey: "k".repeat(2048) }), 400, "PropertyValueTooLarge");
});
