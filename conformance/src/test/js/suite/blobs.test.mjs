import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { test } from "node:test";
import { BlobSASPermissions } from "@azure/storage-blob";
import {
  MIB,
  blockId,
  bytesOf,
  freshContainer,
  namesOf,
  put,
  raw,
  refused,
  refusedRaw,
  textOf,
} from "./blob-support.mjs";

const md5 = (bytes) => createHash("md5").update(bytes).digest();

for (const length of [0, 1, 65_536, 65_537, 4 * MIB, 9 * MIB + 1]) {
  test(`${length} bytes come back as they went in`, async (t) => {
    const blob = (await freshContainer(t)).getBlockBlobClient("blob");
    const content = randomBytes(length);
    await blob.uploadData(content);
    assert.ok(content.equals(await bytesOf(blob)));
    const { readableStreamBody, contentLength, contentMD5 } = await blob.download();
    const pieces = [];
    for await (const piece of readableStreamBody) {
      pieces.push(piece);
    }
    assert.ok(content.equals(Buffer.concat(pieces)));
    assert.equal(contentLength, length);
    assert.deepEqual(Buffer.from(contentMD5), md5(content));
  });
}

test("a large content goes in and out in parallel blocks", async (t) => {
  const blob = (await freshContainer(t)).getBlockBlobClient("large");
  const content = randomBytes(24 * MIB + 5);
  await blob.uploadData(content, { blockSize: MIB, maxSingleShotSize: MIB, concurrency: 6 });
  const { committedBlocks, uncommittedBlocks } = await blob.getBlockList("all");
  assert.deepEqual([committedBlocks.length, uncommittedBlocks?.length ?? 0], [25, 0]);
  assert.ok(content.equals(await blob.downloadToBuffer(0, undefined, { blockSize: 2 * MIB, concurrency: 6 })));
});

test("a stream is stored as it comes", async (t) => {
  const blob = (await freshContainer(t)).getBlockBlobClient("stream");
  const content = randomBytes(5 * MIB);
  const pieces = Array.from({ length: 50 }, (_, n) => content.subarray((n * content.length) / 50, ((n + 1) * content.length) / 50));
  await blob.uploadStream(Readable.from(pieces), MIB, 3);
  assert.ok(content.equals(await bytesOf(blob)));
});

test("ranges are cut where the blob ends", async (t) => {
  const blob = (await freshContainer(t)).getBlobClient("blob");
  await put(blob, "0123456789");
  assert.equal((await blob.downloadToBuffer(3, 4)).toString(), "3456");
  const tail = await blob.download(8, 100);
  assert.deepEqual([tail._response.status, tail.contentRange, tail.contentLength], [206, "bytes 8-9/10", 2]);
  await refused(blob.download(10, 1), 416, "InvalidRange");
  const checked = await blob.download(2, 3, { rangeGetContentMD5: true });
  assert.deepEqual(Buffer.from(checked.contentMD5), md5("234"));
  const crc = await blob.download(2, 3, { rangeGetContentCrc64: true });
  assert.equal(crc.contentCrc64.length, 8);
});

test("a transfer whose checksum is wrong is refused", async (t) => {
  const container = await freshContainer(t);
  const blob = container.getBlockBlobClient("blob");
  await refused(
    blob.stageBlock(blockId(1), "content", 7, { transactionalContentMD5: md5("other") }),
    400,
    "Md5Mismatch",
  );
  const crc64 = Buffer.alloc(8, 7);
  await refused(
    blob.stageBlock(blockId(1), "content", 7, { transactionalContentCrc64: crc64 }),
    400,
    "Crc64Mismatch",
  );
  assert.deepEqual(await namesOf(container.listBlobsFlat({ includeUncommitedBlobs: true })), []);
});

test("properties, metadata and tier come back as they were set", async (t) => {
  const blob = (await freshContainer(t)).getBlobClient("photo.jpg");
  await put(blob, "x", {
    blobHTTPHeaders: { blobContentType: "image/jpeg", blobCacheControl: "max-age=60", blobContentLanguage: "de" },
    metadata: { emp: "0099" },
    tier: "Cool",
  });
  const found = await blob.getProperties();
  assert.deepEqual(
    [found.contentType, found.cacheControl, found.contentLanguage, found.accessTier, found.blobType],
    ["image/jpeg", "max-age=60", "de", "Cool", "BlockBlob"],
  );
  assert.deepEqual(found.metadata, { emp: "0099" });
  await blob.setHTTPHeaders({ blobContentType: "image/png" });
  const changed = await blob.getProperties();
  assert.deepEqual([changed.contentType, changed.cacheControl], ["image/png", undefined]);
  await blob.setMetadata({ other: "1" });
  assert.deepEqual((await blob.getProperties()).metadata, { other: "1" });
  await blob.setAccessTier("Hot");
  assert.equal((await blob.getProperties()).accessTier, "Hot");
});

test("conditions guard reads and writes", async (t) => {
  const blob = (await freshContainer(t)).getBlobClient("blob");
  const { etag } = await put(blob, "first", { conditions: { ifNoneMatch: "*" } });
  await refused(put(blob, "again", { conditions: { ifNoneMatch: "*" } }), 409, "BlobAlreadyExists");
  await put(blob, "second", { conditions: { ifMatch: etag } });
  await refused(put(blob, "third", { conditions: { ifMatch: etag } }), 412, "ConditionNotMet");
  await refused(blob.download(0, undefined, { conditions: { ifMatch: etag } }), 412, "ConditionNotMet");
  const now = (await blob.getProperties()).etag;
  await refused(blob.download(0, undefined, { conditions: { ifNoneMatch: now } }), 304, "ConditionNotMet");
  await refused(blob.delete({ conditions: { ifMatch: etag } }), 412, "ConditionNotMet");
  assert.equal(await textOf(blob), "second");
});

test("blocks are committed in the order of the list", async (t) => {
  const blob = (await freshContainer(t)).getBlockBlobClient("blob");
  for (let n = 0; n < 3; n++) {
    await blob.stageBlock(blockId(n), `<${n}>`, 3);
  }
  assert.equal(await blob.exists(), false);
  assert.equal((await blob.getBlockList("uncommitted")).uncommittedBlocks.length, 3);
  await blob.commitBlockList([blockId(2), blockId(0)], { metadata: { a: "b" } });
  assert.equal(await textOf(blob), "<2><0>");
  await refused(blob.commitBlockList([blockId(1)]), 400, "InvalidBlockList");
  assert.equal(await textOf(blob), "<2><0>");
});

test("a snapshot stays, is promoted, and is deleted with the blob", async (t) => {
  const container = await freshContainer(t);
  const blob = container.getBlockBlobClient("blob");
  await put(blob, "first");
  const { snapshot } = await blob.createSnapshot();
  await put(blob, "second");
  assert.equal(await textOf(blob.withSnapshot(snapshot)), "first");
  await refused(blob.delete(), 409, "SnapshotsPresent");
  const poller = await blob.beginCopyFromURL(blob.withSnapshot(snapshot).url);
  assert.equal((await poller.pollUntilDone()).copyStatus, "success");
  assert.equal(await textOf(blob), "first");
  assert.deepEqual(await namesOf(container.listBlobsFlat({ includeSnapshots: true })), ["blob", "blob"]);
  await blob.delete({ deleteSnapshots: "include" });
  assert.deepEqual(await namesOf(container.listBlobsFlat({ includeSnapshots: true })), []);
});

test("a blob is copied at once from another of this server, and not from elsewhere", async (t) => {
  const container = await freshContainer(t);
  const [source, target] = [container.getBlobClient("a b+c"), container.getBlobClient("target")];
  await put(source, "text", { metadata: { a: "b" } });
  await refused(target.syncCopyFromURL(source.url), 401, "CannotVerifyCopySource");
  const signed = await source.generateSasUrl({
    permissions: BlobSASPermissions.parse("r"),
    expiresOn: new Date(Date.now() + 600_000),
  });
  assert.equal((await target.syncCopyFromURL(signed)).copyStatus, "success");
  assert.equal(await textOf(target), "text");
  assert.deepEqual((await target.getProperties()).metadata, { a: "b" });
  await refused(target.syncCopyFromURL("http://example.com/a/b"), 404, "CannotVerifyCopySource");
});

test("names may have nearly any characters", async (t) => {
  const container = await freshContainer(t);
  const names = ["a b+c%20&d=e", "umläut/日本語/😀", "CASE", "case", "quote'\"<>", "?and#", "a", "a/b"];
  for (const name of names) {
    await put(container.getBlobClient(name), name);
    assert.equal(await textOf(container.getBlobClient(name)), name);
  }
  assert.deepEqual(new Set(await namesOf(container.listBlobsFlat())), new Set(names));
});

test("lists are flat or of folders, in pages", async (t) => {
  const container = await freshContainer(t);
  for (const name of ["a/1", "a/2", "b/1", "c"]) {
    await put(container.getBlobClient(name), "x", { metadata: { name: encodeURIComponent(name) } });
  }
  assert.deepEqual(await namesOf(container.listBlobsFlat({ prefix: "a/" })), ["a/1", "a/2"]);
  const folders = [];
  for await (const page of container.listBlobsByHierarchy("/").byPage({ maxPageSize: 1 })) {
    folders.push(...(page.segment.blobPrefixes ?? []).map(({ name }) => name), ...page.segment.blobItems.map(({ name }) => name));
  }
  assert.deepEqual(folders, ["a/", "b/", "c"]);
  for await (const item of container.listBlobsFlat({ includeMetadata: true })) {
    assert.equal(decodeURIComponent(item.metadata.name), item.name);
  }
});

test("what the server cannot promise is refused and leaves nothing behind", async (t) => {
  const container = await freshContainer(t);
  for (const headers of [
    { "x-ms-encryption-key": "c2VjcmV0" },
    { "x-ms-structured-body": "XSM/1.0; properties=crc64" },
  ]) {
    const request = { body: "content", headers: { "x-ms-blob-type": "BlockBlob", ...headers } };
    await refusedRaw(await raw("PUT", `/${container.containerName}/blob`, request), 400, "UnsupportedHeader");
  }
  assert.deepEqual(await namesOf(container.listBlobsFlat({ includeUncommitedBlobs: true })), []);
});
