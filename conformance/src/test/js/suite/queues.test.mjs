import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { all } from "./support.mjs";
import {
  LONG,
  accountSas,
  countOf,
  freshName,
  freshQueue,
  queueClient,
  raw,
  refused,
  refusedRaw,
  service,
} from "./queue-support.mjs";

/** Queues of which only this test knows, deleted when it ends. */
async function queuesWithPrefix(t, prefix, suffixes, options) {
  const names = suffixes.map((suffix) => prefix + suffix);
  await Promise.all(names.map((name) => freshQueue(t, name, options)));
  return names;
}

async function namesWithPrefix(prefix) {
  return (await all(service.listQueues({ prefix }))).map(({ name }) => name);
}

test("a created queue is there and listed, and no longer once it is deleted", async () => {
  const queue = queueClient(freshName());
  assert.equal(await queue.exists(), false);
  assert.deepEqual(await namesWithPrefix(queue.name), []);

  const created = await queue.create();
  assert.equal(created._response.status, 201);
  assert.equal(await queue.exists(), true);
  assert.deepEqual(await namesWithPrefix(queue.name), [queue.name]);

  const deleted = await queue.delete();
  assert.equal(deleted._response.status, 204);
  assert.equal(await queue.exists(), false);
  assert.deepEqual(await namesWithPrefix(queue.name), []);
});

test("queues can be created and deleted through the service", async () => {
  const name = freshName();
  await service.createQueue(name);
  assert.equal(await queueClient(name).exists(), true);
  await service.deleteQueue(name);
  assert.equal(await queueClient(name).exists(), false);
});

test("creating a queue again is no change when its metadata are the same", async (t) => {
  const metadata = { owner: "hr", Room: "12" };
  const queue = await freshQueue(t, freshName(), { metadata });
  assert.equal((await queue.create({ metadata }))._response.status, 204);
  assert.equal((await queue.create({ metadata: { OWNER: "hr", room: "12" } }))._response.status, 204);
});

test("creating a queue again with other metadata is refused", async (t) => {
  const queue = await freshQueue(t, freshName(), { metadata: { owner: "hr" } });
  for (const metadata of [{ owner: "HR" }, { owner: "hr", room: "12" }, {}, { room: "12" }]) {
    await refused(queue.create({ metadata }), 409, "QueueAlreadyExists");
  }
  assert.deepEqual((await queue.getProperties()).metadata, { owner: "hr" });
});

test("createIfNotExists tells whether it created the queue", async (t) => {
  const queue = queueClient(freshName());
  t.after(() => queue.deleteIfExists());
  assert.equal((await queue.createIfNotExists()).succeeded, true);
  assert.equal((await queue.createIfNotExists()).succeeded, false);
  const other = await queue.createIfNotExists({ metadata: { a: "b" } });
  assert.deepEqual([other.succeeded, other.errorCode], [false, "QueueAlreadyExists"]);
});

test("deleteIfExists tells whether it deleted the queue", async () => {
  const queue = queueClient(freshName());
  const missing = await queue.deleteIfExists();
  assert.deepEqual([missing.succeeded, missing.errorCode], [false, "QueueNotFound"]);
  await queue.create();
  assert.equal((await queue.deleteIfExists()).succeeded, true);
});

test("every operation on a queue that does not exist is refused", async () => {
  const queue = queueClient(freshName());
  const id = "00000000-0000-4000-8000-000000000000";
  for (const call of [
    () => queue.delete(),
    () => queue.getProperties(),
    () => queue.setMetadata({ a: "b" }),
    () => queue.getAccessPolicy(),
    () => queue.setAccessPolicy([]),
    () => queue.sendMessage("text"),
    () => queue.receiveMessages(),
    () => queue.peekMessages(),
    () => queue.clearMessages(),
  ]) {
    await refused(call(), 404, "QueueNotFound");
  }
  await assert.rejects(queue.deleteMessage(id, "AgAAAAMAAAAAAAAA"), { statusCode: 404 });
});

test("a queue made anew under a deleted name is empty", async (t) => {
  const queue = await freshQueue(t, freshName(), { metadata: { a: "b" } });
  const sent = await queue.sendMessage("old");
  await queue.delete();
  await queue.create();
  assert.equal(await countOf(queue), 0);
  assert.deepEqual((await queue.receiveMessages()).receivedMessageItems, []);
  assert.equal((await queue.getProperties()).metadata, undefined);
  await refused(queue.deleteMessage(sent.messageId, sent.popReceipt), 404, "MessageNotFound");
});

test("queues are listed by prefix, in the order of their names", async (t) => {
  const prefix = freshName();
  const names = await queuesWithPrefix(t, prefix, ["-b", "-a", "0", "", "-a-1"]);
  await queuesWithPrefix(t, freshName(), ["other"]);
  assert.deepEqual(await namesWithPrefix(prefix), [...names].sort());
  assert.deepEqual(await namesWithPrefix(`${prefix}-a`), [`${prefix}-a`, `${prefix}-a-1`]);
  assert.deepEqual(await namesWithPrefix(`${prefix}-z`), []);
});

test("lists come in pages, and go on where a page ended", async (t) => {
  const prefix = freshName();
  const names = await queuesWithPrefix(t, prefix, ["a", "b", "c", "d", "e"]);
  const pages = await all(service.listQueues({ prefix }).byPage({ maxPageSize: 2 }));
  assert.deepEqual(
    pages.map(({ queueItems }) => queueItems.map(({ name }) => name)),
    [names.slice(0, 2), names.slice(2, 4), names.slice(4)],
  );
  assert.equal(pages[0].prefix, prefix);
  assert.equal(pages[0].maxPageSize, 2);
  assert.ok(!pages[2].continuationToken);

  const { continuationToken } = pages[1];
  const rest = await all(service.listQueues({ prefix }).byPage({ maxPageSize: 2, continuationToken }));
  assert.deepEqual(rest.flatMap(({ queueItems }) => queueItems.map(({ name }) => name)), names.slice(4));
});

test("a page goes on although the queue it would begin with is gone", async (t) => {
  const prefix = freshName();
  const names = await queuesWithPrefix(t, prefix, ["a", "b", "c"]);
  const first = (await service.listQueues({ prefix }).byPage({ maxPageSize: 1 }).next()).value;
  await service.deleteQueue(names[1]);
  const { continuationToken } = first;
  const rest = await all(service.listQueues({ prefix }).byPage({ continuationToken }));
  assert.deepEqual(rest.flatMap(({ queueItems }) => queueItems.map(({ name }) => name)), [names[2]]);
});

test("a list has metadata only when they are asked for", async (t) => {
  const prefix = freshName();
  await queuesWithPrefix(t, prefix, ["a"], { metadata: { owner: "a & b <c>", room: "12" } });
  await queuesWithPrefix(t, prefix, ["b"]);
  const [plain] = await all(service.listQueues({ prefix }));
  assert.equal(plain.metadata, undefined);
  const [a, b] = await all(service.listQueues({ prefix, includeMetadata: true }));
  assert.deepEqual(a.metadata, { owner: "a & b <c>", room: "12" });
  assert.deepEqual(b.metadata ?? {}, {});
});

test("names of metadata are listed in the case they were written in", async (t) => {
  const queue = await freshQueue(t);
  // The SDK, and fetch, send all names in small letters.
  const headers = { "x-ms-meta-Owner": "hr", "x-ms-meta-inTheMiddle": "1" };
  const url = `${queue.url}?comp=metadata&${accountSas()}`;
  const status = await new Promise((resolve, reject) =>
    request(url, { method: "PUT", headers }, (response) => resolve(response.resume().statusCode))
      .once("error", reject)
      .end(),
  );
  assert.equal(status, 204);
  const [listed] = await all(service.listQueues({ prefix: queue.name, includeMetadata: true }));
  assert.deepEqual(listed.metadata, { Owner: "hr", inTheMiddle: "1" });
});

test("a list with parameters that cannot be is refused", async () => {
  await refusedRaw(await raw("GET", "/", { query: "comp=list&maxresults=0" }), 400, "OutOfRangeQueryParameterValue");
  await refusedRaw(await raw("GET", "/", { query: "comp=list&maxresults=x" }), 400, "InvalidQueryParameterValue");
  await refusedRaw(await raw("GET", "/", { query: "comp=list&marker=nothing" }), 400, "InvalidMarker");
  const large = await raw("GET", "/", { query: "comp=list&maxresults=9999" });
  assert.equal(large.status, 200);
  assert.match(await large.text(), /<MaxResults>5000<\/MaxResults>/);
});

test("metadata are replaced as a whole", async (t) => {
  const queue = await freshQueue(t, freshName(), { metadata: { first: "1" } });
  assert.deepEqual((await queue.getProperties()).metadata, { first: "1" });
  assert.equal((await queue.setMetadata({ second: "two words", third: "" }))._response.status, 204);
  const { metadata } = await queue.getProperties();
  assert.equal(metadata.first, undefined);
  assert.equal(metadata.second, "two words");
  await queue.setMetadata({});
  assert.equal((await queue.getProperties()).metadata, undefined);
});

test("metadata whose names sort one way by letters and another by bytes are signed for", async (t) => {
  const metadata = { a_b: "1", a1: "2", ab: "3", a_: "4", A2: "5", _a: "6" };
  const queue = await freshQueue(t, freshName(), { metadata });
  const lower = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value]));
  assert.deepEqual((await queue.getProperties()).metadata, lower);
  await queue.setMetadata({ ...metadata, b: "7" });
  assert.deepEqual((await queue.getProperties()).metadata, { ...lower, b: "7" });
});

test("metadata that the service does not allow are refused", async (t) => {
  const queue = await freshQueue(t);
  await refused(queue.setMetadata({ "with-hyphen": "1" }), 400, "InvalidMetadata");
  await refused(queue.setMetadata({ "1digit": "1" }), 400, "InvalidMetadata");
  await refused(queue.setMetadata({ large: "x".repeat(8 * 1024) }), 400, "MetadataTooLarge");
  await queue.setMetadata({ large: "x".repeat(8 * 1024 - 5) });
  assert.equal((await queue.getProperties()).metadata.large.length, 8 * 1024 - 5);
});

test("metadata with an empty name are refused", async (t) => {
  const { name } = await freshQueue(t);
  const headers = { "x-ms-meta-": "1" };
  await refusedRaw(await raw("PUT", `/${name}`, { query: "comp=metadata", headers }), 400, "EmptyMetadataKey");
});

test("metadata can be asked for by HEAD", async (t) => {
  const queue = await freshQueue(t, freshName(), { metadata: { owner: "hr" } });
  const found = await raw("HEAD", `/${queue.name}`, { query: "comp=metadata" });
  assert.deepEqual([found.status, found.headers.get("x-ms-meta-owner")], [200, "hr"]);
  assert.equal(found.headers.get("x-ms-approximate-messages-count"), "0");
  await refusedRaw(await raw("HEAD", `/${freshName()}`, { query: "comp=metadata" }), 404, "QueueNotFound");
});

test("properties count messages, whether they can be seen or not", async (t) => {
  const queue = await freshQueue(t);
  assert.equal(await countOf(queue), 0);
  await queue.sendMessage("a");
  await queue.sendMessage("b", { visibilityTimeout: LONG });
  const third = await queue.sendMessage("c");
  assert.equal(await countOf(queue), 3);
  await queue.deleteMessage(third.messageId, third.popReceipt);
  assert.equal(await countOf(queue), 2);
  await queue.receiveMessages();
  assert.equal(await countOf(queue), 2);
  await queue.clearMessages();
  assert.equal(await countOf(queue), 0);
});

test("names the service does not allow are refused", async () => {
  for (const name of ["ab", "a".repeat(64)]) {
    await refused(service.createQueue(name), 400, "OutOfRangeInput");
  }
  for (const name of ["Upper", "under_score", "-first", "last-", "two--hyphens", "dot.ted", "umläut"]) {
    await refused(service.createQueue(name), 400, "InvalidResourceName");
  }
});

test("the shortest, the longest and the oddest names are allowed", async (t) => {
  for (const name of ["0-0", freshName("a-0-").padEnd(63, "z")]) {
    const queue = await freshQueue(t, name);
    assert.equal(await queue.exists(), true);
  }
});

test("an operation that there is not is refused", async (t) => {
  const { name } = await freshQueue(t);
  await refusedRaw(await raw("POST", `/${name}`), 405, "UnsupportedHttpVerb");
  await refusedRaw(await raw("PUT", `/${name}/messages`), 405, "UnsupportedHttpVerb");
  await refusedRaw(await raw("GET", `/${name}/other`), 404, "ResourceNotFound");
  await refusedRaw(await raw("GET", "/", { query: "comp=other" }), 400, "InvalidQueryParameterValue");
});

test("answers carry the request's ids, a date and the version that was asked for", async (t) => {
  const queue = await freshQueue(t);
  const { _response, requestId, clientRequestId, version, date } = await queue.getProperties();
  assert.match(requestId, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  assert.equal(clientRequestId, _response.request.headers.get("x-ms-client-request-id"));
  assert.equal(version, _response.request.headers.get("x-ms-version"));
  assert.ok(date instanceof Date && !Number.isNaN(date.getTime()));
});
