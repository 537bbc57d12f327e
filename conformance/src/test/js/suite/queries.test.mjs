import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { odata } from "@azure/data-tables";
import { all, freshName, freshTable, refused, tableClient } from "./support.mjs";

const GUID = "3f2504e0-4f89-11d3-9a0c-0305e82c3301";

/** Ten rows r0..r9 with a property of each type; only odd ones have the property odd. */
function row(n) {
  return {
    partitionKey: n < 5 ? "low" : "high",
    rowKey: `r${n}`,
    int: n,
    long: BigInt(n) * 10_000_000_000n,
    double: n + 0.5,
    flag: n % 2 === 0,
    when: new Date(Date.UTC(2024, 0, 1 + n)),
    id: { type: "Guid", value: GUID.slice(0, -1) + n },
    bytes: new Uint8Array([n, 255]),
    text: n === 3 ? "O'Brien & <söns> +1%" : `text ${n}`,
    ...(n % 2 === 1 && { odd: "yes" }),
  };
}

describe("filters", () => {
  const table = tableClient(freshName());

  before(async () => {
    await table.createTable();
    await Promise.all(Array.from({ length: 10 }, (_, n) => table.createEntity(row(n))));
  });
  after(() => table.deleteTable());

  const CASES = [
    ["no filter", undefined, [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]],
    ["partition", odata`PartitionKey eq ${"low"}`, [0, 1, 2, 3, 4]],
    ["point", odata`PartitionKey eq ${"low"} and RowKey eq ${"r3"}`, [3]],
    ["row range", odata`PartitionKey eq 'low' and RowKey ge ${"r1"} and RowKey lt ${"r3"}`, [1, 2]],
    ["two rows", "PartitionKey eq 'low' and (RowKey eq 'r0' or RowKey eq 'r4')", [0, 4]],
    ["row key alone", odata`RowKey eq ${"r7"}`, [7]],
    ["partition range", odata`PartitionKey gt ${"high"}`, [0, 1, 2, 3, 4]],
    ["quoted string", odata`text eq ${"O'Brien & <söns> +1%"}`, [3]],
    ["quotes by hand", odata`text eq '${"O'Brien & <söns> +1%"}'`, [3]],
    ["Int32 eq", odata`int eq ${4}`, [4]],
    ["Int32 ge", odata`int ge ${8}`, [8, 9]],
    ["Int32 ne", odata`int ne ${4} and PartitionKey eq 'low'`, [0, 1, 2, 3]],
    ["negative number", odata`int lt ${-1}`, []],
    ["Int64", "long gt 79999999999L", [8, 9]],
    ["Int64 by bigint", odata`long eq ${20_000_000_000n}L`, [2]],
    ["Int64 by Int32 literal", odata`long le ${0n}`, [0]],
    ["Double by Int32 literal", "double gt 9", [9]],
    ["Double", odata`double le ${1.5}`, [0, 1]],
    ["Boolean", odata`flag eq ${false}`, [5, 7, 9, 1, 3]],
    ["date", odata`when eq ${new Date(Date.UTC(2024, 0, 3))}`, [2]],
    ["date range", odata`when ge ${new Date(Date.UTC(2024, 0, 9))}`, [8, 9]],
    ["guid", `id eq guid'${GUID.slice(0, -1)}6'`, [6]],
    ["binary", "bytes eq X'05ff'", [5]],
    ["binary, long form", "bytes eq binary'05FF'", [5]],
    ["missing property", "odd eq 'yes'", [5, 7, 9, 1, 3]],
    ["missing property, ne", "odd ne 'no'", [5, 7, 9, 1, 3]],
    ["not", "not (int lt 8)", [8, 9]],
    ["and binds tighter than or", "int eq 0 or int eq 1 and flag eq true", [0]],
    ["parentheses", "((int eq 0) or (int eq 1)) and (flag eq false)", [1]],
    ["literal on the left", "8 le int", [8, 9]],
    ["timestamp", odata`Timestamp gt ${new Date(0)}`, [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]],
    ["empty filter", "", [5, 6, 7, 8, 9, 0, 1, 2, 3, 4]],
    ["nothing", odata`PartitionKey eq ${"absent"}`, []],
    ["many comparisons", Array.from({ length: 60 }, (_, n) => `int eq ${n + 5}`).join(" or "), [5, 6, 7, 8, 9]],
  ];

  for (const [name, filter, expected] of CASES) {
    test(`${name}: ${filter?.slice(0, 80) ?? ""}`, async () => {
      const found = await all(table.listEntities({ queryOptions: { filter } }));
      assert.deepEqual(found.map((entity) => entity.rowKey), expected.map((n) => `r${n}`));
    });
  }

  test("listed entities carry their values, etag and time", async () => {
    const [entity] = await all(table.listEntities({ queryOptions: { filter: "int eq 3" } }));
    const { etag, timestamp, bytes, ...rest } = entity;
    const { bytes: sent, ...expected } = row(3);
    assert.deepEqual(rest, expected);
    assert.deepEqual([...bytes], [...sent]);
    assert.equal(etag, (await table.getEntity("low", "r3")).etag);
    assert.ok(Date.parse(timestamp));
  });

  test("listed entities keep the service's types when conversion is off", async () => {
    const queryOptions = { filter: "int eq 3" };
    const [entity] = await all(table.listEntities({ queryOptions, disableTypeConversion: true }));
    assert.deepEqual(entity.long, { type: "Int64", value: "30000000000" });
    assert.deepEqual(entity.when, { type: "DateTime", value: "2024-01-04T00:00:00Z" });
    assert.deepEqual(entity.bytes, { type: "Binary", value: "A/8=" });
    assert.deepEqual(entity.flag, { type: "Boolean", value: "false" });
  });

  test("select gives the named properties, and null for the missing ones", async () => {
    const queryOptions = { filter: "int lt 2", select: ["rowKey", "odd", "etag"] };
    const found = await all(table.listEntities({ queryOptions }));
    assert.deepEqual(
      found.map(({ etag, ...rest }) => rest),
      [
        { rowKey: "r0", odd: null },
        { rowKey: "r1", odd: "yes" },
      ],
    );
    assert.ok(found.every((entity) => entity.etag.startsWith("W/")));
  });

  for (const filter of ["aaa bbb ccc", "int eq", "int eq 'a", "(int eq 1", "int eq null", "when eq datetime'never'"]) {
    test(`ill-formed filter ${filter} is refused`, async () => {
      await refused(all(table.listEntities({ queryOptions: { filter } })), 400, "InvalidInput");
    });
  }

  for (const filter of ["startswith(RowKey,'r')", "PartitionKey eq RowKey"]) {
    test(`${filter} is beyond the service`, async () => {
      await refused(all(table.listEntities({ queryOptions: { filter } })), 501, "NotImplemented");
    });
  }

  test("a continuation token that is none is refused", async () => {
    const text = JSON.stringify({ nextPartitionKey: "junk", nextRowKey: "junk" });
    const continuationToken = Buffer.from(text).toString("base64");
    await refused(all(table.listEntities().byPage({ continuationToken })), 400, "InvalidInput");
  });

  test("pages have the asked size and join to the whole in key order", async () => {
    const pages = await all(table.listEntities().byPage({ maxPageSize: 4 }));
    assert.deepEqual(pages.map((page) => page.length), [4, 4, 2]);
    const keys = pages.flat().map((entity) => `${entity.partitionKey}/${entity.rowKey}`);
    assert.deepEqual(keys, [...keys].sort());
    assert.equal(keys.length, 10);
    assert.equal(pages.at(-1).continuationToken, undefined);
  });

  test("a continuation token goes on where its page ended, in a new client too", async () => {
    const queryOptions = { filter: "flag eq true" };
    const { value: first } = await table.listEntities({ queryOptions }).byPage({ maxPageSize: 2 }).next();
    assert.deepEqual(first.map((entity) => entity.rowKey), ["r6", "r8"]);
    const later = tableClient(table.tableName).listEntities({ queryOptions });
    const rest = await all(later.byPage({ maxPageSize: 100, continuationToken: first.continuationToken }));
    assert.deepEqual(rest.flat().map((entity) => entity.rowKey), ["r0", "r2", "r4"]);
  });

  test("a page goes on even when the entity it pointed at is gone", async (t) => {
    const other = await freshTable(t);
    await Promise.all(["a", "b", "c"].map((rowKey) => other.createEntity({ partitionKey: "p", rowKey })));
    const pages = other.listEntities().byPage({ maxPageSize: 1 });
    assert.equal((await pages.next()).value[0].rowKey, "a");
    await other.deleteEntity("p", "b");
    assert.deepEqual((await all(pages)).flat().map((entity) => entity.rowKey), ["c"]);
  });

  for (const maxPageSize of [1001, -1]) {
    test(`a page of ${maxPageSize} is refused`, async () => {
      await refused(all(table.listEntities().byPage({ maxPageSize })), 400, "InvalidInput");
    });
  }
});

test("a page ends at a thousand entities, and the iterator goes on by itself", async (t) => {
  const table = await freshTable(t);
  const count = 1050;
  const rowKeys = Array.from({ length: count }, (_, n) => String(n).padStart(5, "0"));
  for (let from = 0; from < count; from += 100) {
    const chunk = rowKeys.slice(from, from + 100);
    await table.submitTransaction(chunk.map((rowKey) => ["create", { partitionKey: "p", rowKey }]));
  }
  const pages = await all(table.listEntities().byPage());
  assert.deepEqual(pages.map((page) => page.length), [1000, 50]);
  assert.deepEqual((await all(table.listEntities())).map((entity) => entity.rowKey), rowKeys);
});

test("a page of large entities ends before a thousand of them", async (t) => {
  const table = await freshTable(t);
  const wide = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`p${n}`, "x".repeat(30_000)]));
  const rowKeys = Array.from({ length: 12 }, (_, n) => String(n).padStart(2, "0"));
  await Promise.all(rowKeys.map((rowKey) => table.createEntity({ partitionKey: "p", rowKey, ...wide })));
  const pages = await all(table.listEntities().byPage());
  assert.ok(pages.length > 1);
  assert.deepEqual(pages.flat().map((entity) => entity.rowKey), rowKeys);
});
