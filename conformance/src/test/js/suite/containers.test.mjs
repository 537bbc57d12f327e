import assert from "node:assert/strict";
import { test } from "node:test";
import { freshContainer, freshName, namesOf, put, raw, refused, refusedRaw, service } from "./blob-support.mjs";

test("a container is created once and deleted once", async () => {
  const container = service.getContainerClient(freshName());
  assert.equal(await container.exists(), false);
  assert.equal((await container.create())._response.status, 201);
  assert.equal(await container.exists(), true);
  await refused(container.create(), 409, "ContainerAlreadyExists");
  assert.equal((await container.createIfNotExists()).succeeded, false);
  assert.equal((await container.delete())._response.status, 202);
  assert.equal(await container.exists(), false);
  assert.equal((await container.deleteIfExists()).succeeded, false);
  await refused(container.delete(), 404, "ContainerNotFound");
});

test("properties and metadata come back as they were set", async (t) => {
  const container = await freshContainer(t, freshName(), { metadata: { owner: "hr" } });
  const before = await container.getProperties();
  assert.deepEqual(before.metadata, { owner: "hr" });
  assert.deepEqual([before.leaseState, before.leaseStatus], ["available", "unlocked"]);
  assert.equal(before.blobPublicAccess, undefined);
  await container.setMetadata({ a_1: "two words" });
  const after = await container.getProperties();
  assert.deepEqual(after.metadata, { a_1: "two words" });
  assert.notEqual(after.etag, before.etag);
  await refused(container.setMetadata({ "with-hyphen": "1" }), 400, "InvalidMetadata");
});

test("containers are listed in pages, with metadata when asked for", async (t) => {
  const prefix = freshName("list");
  for (const letter of "abcde") {
    await freshContainer(t, `${prefix}-${letter}`, { metadata: { letter } });
  }
  const pages = [];
  for await (const page of service.listContainers({ prefix }).byPage({ maxPageSize: 2 })) {
    pages.push(page.containerItems.map(({ name }) => name.at(-1)).join(""));
  }
  assert.deepEqual(pages, ["ab", "cd", "e"]);
  const letters = [];
  for await (const item of service.listContainers({ prefix, includeMetadata: true })) {
    letters.push(item.metadata.letter);
  }
  assert.equal(letters.join(""), "abcde");
});

test("names the service does not allow are refused", async () => {
  for (const name of ["ab", "a".repeat(64)]) {
    await refused(service.createContainer(name), 400, "OutOfRangeInput");
  }
  for (const name of ["Upper", "under_score", "-first", "last-", "two--hyphens", "dot.ted"]) {
    await refused(service.createContainer(name), 400, "InvalidResourceName");
  }
});

test("a container goes with all that is in it", async (t) => {
  const container = await freshContainer(t);
  await put(container.getBlobClient("a"), "text");
  await container.delete();
  await refused(container.getBlobClient("a").download(), 404, "ContainerNotFound");
  await container.create();
  assert.deepEqual(await namesOf(container.listBlobsFlat()), []);
});

test("nothing is public on a server that does not permit it", async () => {
  const container = service.getContainerClient(freshName());
  await refused(container.create({ access: "blob" }), 409, "PublicAccessNotPermitted");
  assert.equal(await container.exists(), false);
});

test("operations that there are not are refused", async (t) => {
  const { containerName } = await freshContainer(t);
  const query = "restype=container";
  await refusedRaw(await raw("POST", `/${containerName}`, { query }), 405, "UnsupportedHttpVerb");
  const unknown = await raw("GET", `/${containerName}`, { query: `${query}&comp=other` });
  await refusedRaw(unknown, 400, "InvalidQueryParameterValue");
});
