// What blobs are used for beside tables: photos of entities, indexes that outgrow an entity, and logs found by their names.

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { BlobSASPermissions } from "@azure/storage-blob";
import { MIB, bytesOf, freshContainer, namesOf, put, refused, soon, textOf } from "./blob-support.mjs";
import { freshTable } from "./support.mjs";

test("an entity has the address of its photo, which a signature opens", async (t) => {
  const [employees, photos] = [await freshTable(t), await freshContainer(t)];
  const photo = randomBytes(3 * MIB);
  const blob = photos.getBlockBlobClient("emp/0099.jpg");
  await blob.uploadData(photo, { blobHTTPHeaders: { blobContentType: "image/x-raw" }, metadata: { emp: "0099" } });
  await employees.createEntity({ partitionKey: "sales", rowKey: "0099", photo: blob.url });

  const { photo: url } = await employees.getEntity("sales", "0099");
  const permissions = BlobSASPermissions.parse("r");
  const sas = new URL(await blob.generateSasUrl({ permissions, expiresOn: soon(), contentType: "image/jpeg" })).search;
  const response = await fetch(url + sas);
  assert.deepEqual([response.status, response.headers.get("content-type")], [200, "image/jpeg"]);
  assert.equal(response.headers.get("content-md5"), createHash("md5").update(photo).digest("base64"));
  assert.ok(photo.equals(Buffer.from(await response.arrayBuffer())));
});

test("of two who rewrite a large index one begins again, and both are in it", async (t) => {
  const index = (await freshContainer(t)).getBlockBlobClient("by-name/cao");
  const ids = Array.from({ length: 200_000 }, (_, n) => String(n).padStart(6, "0"));
  await put(index, ids.join("\n"));
  let conflicts = 0;
  async function add(id, readFirst) {
    for (;;) {
      const { etag } = await index.getProperties();
      const text = await textOf(index);
      await readFirst();
      try {
        await put(index, `${text}\n${id}`, { conditions: { ifMatch: etag } });
        return;
      } catch (e) {
        assert.deepEqual([e.statusCode, e.code], [412, "ConditionNotMet"]);
        conflicts++;
      }
    }
  }
  // Both have read before either writes.
  let waiting = 2;
  let go;
  const both = new Promise((resolve) => (go = resolve));
  const readFirst = () => (--waiting <= 0 && go(), both);
  await Promise.all([add("first!", readFirst), add("second", readFirst)]);
  assert.equal(conflicts, 1);
  const found = (await textOf(index)).split("\n");
  assert.equal(found.length, ids.length + 2);
  assert.deepEqual(new Set(found.slice(-2)), new Set(["first!", "second"]));
});

test("logs are found by day and hour, and old ones deleted", async (t) => {
  const logs = await freshContainer(t);
  for (const hour of ["1700", "1800", "1900"]) {
    for (let n = 1; n <= 4; n++) {
      const log = logs.getAppendBlobClient(`queue/2014/07/31/${hour}/00000${n}.log`);
      await log.create({ metadata: { start: hour, type: "queue" }, conditions: { ifNoneMatch: "*" } });
      await log.appendBlock(`${hour} ${n}\n`, hour.length + 3);
    }
  }
  assert.equal((await namesOf(logs.listBlobsFlat({ prefix: "queue/2014/07/31/18" }))).length, 4);
  const hours = await namesOf(logs.listBlobsByHierarchy("/", { prefix: "queue/2014/07/31/" }));
  assert.deepEqual(hours, ["1700", "1800", "1900"].map((hour) => `queue/2014/07/31/${hour}/`));
  for await (const { name, metadata } of logs.listBlobsFlat({ prefix: "queue/2014/07/31/17", includeMetadata: true })) {
    assert.deepEqual(metadata, { start: "1700", type: "queue" });
    await logs.deleteBlob(name);
  }
  assert.deepEqual((await namesOf(logs.listBlobsByHierarchy("/", { prefix: "queue/2014/07/31/" }))).length, 2);
  assert.equal((await bytesOf(logs.getBlobClient("queue/2014/07/31/1800/000004.log"))).toString(), "1800 4\n");
  await refused(logs.deleteBlob("queue/2014/07/31/1700/000001.log"), 404, "BlobNotFound");
});
