import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AccountSASPermissions,
  AnonymousCredential,
  BlobBatch,
  BlobServiceClient,
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
} from "@azure/storage-blob";
import {
  CREDENTIAL,
  ENDPOINT,
  accountSas,
  freshContainer,
  namesOf,
  options,
  put,
  refused,
  service,
  soon,
  withSas,
} from "./blob-support.mjs";

const NAMES = ["a", "folder/b c", "å+%20&?", "d"];

/** A container with a few blobs. */
async function prepared(t) {
  const container = await freshContainer(t);
  const blobs = NAMES.map((name) => container.getBlobClient(name));
  await Promise.all(blobs.map((blob) => put(blob, "text")));
  return { container, blobs };
}

/** A client of the same blob that has nothing but this signature. */
function blobWith(blob, sas) {
  return withSas({ containerName: blob.containerName }, sas).getBlobClient(blob.name);
}

function containerSas(container, permissions) {
  const values = {
    containerName: container.containerName,
    permissions: ContainerSASPermissions.parse(permissions),
    expiresOn: soon(),
  };
  return generateBlobSASQueryParameters(values, CREDENTIAL).toString();
}

const statuses = (response) => response.subResponses.map(({ status }) => status);
const codes = (response) => response.subResponses.map(({ errorCode }) => errorCode);

test("a batch deletes blobs of several containers, signed with the account's key", async (t) => {
  const first = await prepared(t);
  const second = await prepared(t);

  const response = await service.getBlobBatchClient().deleteBlobs([...first.blobs, ...second.blobs]);

  assert.deepEqual([response.subResponsesSucceededCount, response.subResponsesFailedCount], [8, 0]);
  assert.deepEqual(await namesOf(first.container.listBlobsFlat()), []);
  assert.deepEqual(await namesOf(second.container.listBlobsFlat()), []);
});

test("a batch of a container deletes its blobs and tells which were not there", async (t) => {
  const { container, blobs } = await prepared(t);

  const response = await container
    .getBlobBatchClient()
    .deleteBlobs([blobs[0], container.getBlobClient("gone"), blobs[1]]);

  assert.deepEqual(statuses(response), [202, 404, 202]);
  assert.deepEqual(codes(response), [undefined, "BlobNotFound", undefined]);
  assert.match(response.subResponses[1].bodyAsText, /<Code>BlobNotFound<\/Code>/);
  assert.notEqual(response.subResponses[0].headers.get("x-ms-request-id"), response.requestId);
});

test("a batch sets tiers", async (t) => {
  const { container, blobs } = await prepared(t);

  const response = await container.getBlobBatchClient().setBlobsAccessTier(blobs, "Cool");

  assert.deepEqual(statuses(response), [200, 200, 200, 200]);
  for (const blob of blobs) {
    assert.equal((await blob.getProperties()).accessTier, "Cool");
  }
});

test("conditions, leases and snapshots hold for each request of a batch", async (t) => {
  const { container, blobs } = await prepared(t);
  await blobs[1].getBlobLeaseClient().acquireLease(-1);
  await blobs[2].createSnapshot();
  const { etag } = await blobs[3].getProperties();
  const batch = new BlobBatch();
  await batch.deleteBlob(blobs[0], { conditions: { ifMatch: '"0x1"' } });
  await batch.deleteBlob(blobs[1]);
  await batch.deleteBlob(blobs[2], { deleteSnapshots: "include" });
  await batch.deleteBlob(blobs[3], { conditions: { ifMatch: etag } });

  const response = await container.getBlobBatchClient().submitBatch(batch);

  assert.deepEqual(codes(response), ["ConditionNotMet", "LeaseIdMissing", undefined, undefined]);
});

test("the largest batch is served, and a request outside of the container fails all of it", async (t) => {
  const { container, blobs } = await prepared(t);
  const other = await prepared(t);
  const gone = Array.from({ length: 256 }, (_, i) => container.getBlobClient(`gone${i}`));

  const response = await container.getBlobBatchClient().deleteBlobs(gone);
  assert.equal(response.subResponsesFailedCount, 256);

  const elsewhere = await container.getBlobBatchClient().deleteBlobs([blobs[0], other.blobs[0]]);
  assert.deepEqual([elsewhere.subResponsesSucceededCount, elsewhere.subResponsesFailedCount], [0, 1]);
  assert.equal((await namesOf(container.listBlobsFlat())).length, 4);
  assert.equal((await namesOf(other.container.listBlobsFlat())).length, 4);
});

test("a signature opens the batch that it stands in and the requests that it stands in", async (t) => {
  const { container, blobs } = await prepared(t);
  const sas = containerSas(container, "rd");
  const reading = containerSas(container, "r");
  const batch = new BlobBatch();
  await batch.deleteBlob(blobWith(blobs[0], sas));
  await batch.deleteBlob(blobWith(blobs[1], reading));
  await batch.deleteBlob(blobs[2].url, new AnonymousCredential());

  const response = await withSas(container, reading).getBlobBatchClient().submitBatch(batch);

  assert.deepEqual(statuses(response), [202, 403, 401]);
  assert.deepEqual(codes(response), [undefined, "AuthorizationPermissionMismatch", "NoAuthenticationInformation"]);
  const ofService = new BlobServiceClient(`${ENDPOINT}?${sas}`, undefined, options());
  await refused(ofService.getBlobBatchClient().submitBatch(batch), 403, "AuthenticationFailed");
});

test("an account SAS without a right to delete opens a batch but no request to delete", async (t) => {
  const { blobs } = await prepared(t);
  const sas = accountSas({ permissions: AccountSASPermissions.parse("rl") });
  const client = new BlobServiceClient(`${ENDPOINT}?${sas}`, undefined, options());

  const response = await client
    .getBlobBatchClient()
    .deleteBlobs([blobWith(blobs[0], sas), blobWith(blobs[1], accountSas())]);

  assert.deepEqual(statuses(response), [403, 202]);
});
