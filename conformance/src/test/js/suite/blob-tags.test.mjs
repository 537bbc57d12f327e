import assert from "node:assert/strict";
import { test } from "node:test";
import { freshContainer, refused, service } from "./blob-support.mjs";

const TAGS = { "tag 1": "a+b c", "+-./:=_": "=", k: "1" };

async function tagged(container, name, tags) {
  const blob = container.getBlockBlobClient(name);
  await blob.upload("text", 4, { tags });
  return blob;
}

async function found(search) {
  const items = [];
  for await (const item of search) {
    items.push(item);
  }
  return items;
}

test("tags come back as they were given, and are replaced as a whole", async (t) => {
  const container = await freshContainer(t);
  const blob = await tagged(container, "folder/blob", TAGS);
  assert.deepEqual((await blob.getTags()).tags, TAGS);
  assert.equal((await blob.getProperties()).tagCount, 3);
  await blob.setTags({ other: "one" });
  assert.deepEqual((await blob.getTags()).tags, { other: "one" });
  await blob.setTags({});
  assert.deepEqual((await blob.getTags()).tags, {});
  assert.equal((await blob.getProperties()).tagCount, undefined);
});

test("a condition on tags decides", async (t) => {
  const container = await freshContainer(t);
  const blob = await tagged(container, "blob", TAGS);
  await blob.getProperties({ conditions: { tagConditions: "\"tag 1\" = 'a+b c'" } });
  const conditions = { tagConditions: "\"k\" > '1'" };
  await refused(blob.download(0, undefined, { conditions }), 412, "ConditionNotMet");
  await refused(blob.setMetadata({}, { conditions }), 412, "ConditionNotMet");
  await refused(blob.delete({ conditions }), 412, "ConditionNotMet");
});

test("blobs are found in the account and in a container, page by page", async (t) => {
  const container = await freshContainer(t);
  const mine = container.containerName;
  for (let i = 0; i < 5; i++) {
    await tagged(container, `b${i}`, { test: mine, n: String(i) });
  }
  const query = `test = '${mine}' AND "n" > '1'`;
  const pages = [];
  for await (const page of service.findBlobsByTags(query).byPage({ maxPageSize: 2 })) {
    pages.push(page.blobs.map((blob) => blob.name));
  }
  assert.deepEqual(pages.flat(), ["b2", "b3", "b4"]);
  const items = await found(container.findBlobsByTags(query));
  assert.deepEqual(
    items.map((item) => [item.name, item.containerName, item.tags]),
    [2, 3, 4].map((i) => [`b${i}`, mine, { test: mine, n: String(i) }]),
  );
  await refused(found(service.findBlobsByTags("n <> '1'")), 400, "InvalidQueryParameterValue");
});

test("a listing tells the tags when it is asked to", async (t) => {
  const container = await freshContainer(t);
  await tagged(container, "blob", TAGS);
  const [item] = await found(container.listBlobsFlat({ includeTags: true }));
  assert.deepEqual(item.tags, TAGS);
  const [plain] = await found(container.listBlobsFlat());
  assert.equal(plain.tags, undefined);
});
