import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { freshContainer, put, refused, textOf } from "./blob-support.mjs";

async function freshBlob(t) {
  const blob = (await freshContainer(t)).getBlobClient("blob");
  await put(blob, "text");
  return blob;
}

test("only the holder writes, and everybody reads", async (t) => {
  const blob = await freshBlob(t);
  const lease = blob.getBlobLeaseClient();
  const { leaseId } = await lease.acquireLease(60);
  const found = await blob.getProperties();
  assert.deepEqual([found.leaseState, found.leaseStatus, found.leaseDuration], ["leased", "locked", "fixed"]);
  await refused(put(blob, "no"), 412, "LeaseIdMissing");
  await refused(blob.delete(), 412, "LeaseIdMissing");
  await refused(put(blob, "no", { conditions: { leaseId: randomUUID() } }), 412, "LeaseIdMismatchWithBlobOperation");
  await put(blob, "changed", { conditions: { leaseId } });
  assert.equal(await textOf(blob), "changed");
  await lease.releaseLease();
  await put(blob, "free");
});

test("a lease is renewed, changed and broken", async (t) => {
  const blob = await freshBlob(t);
  const lease = blob.getBlobLeaseClient();
  const first = await lease.acquireLease(-1);
  await refused(blob.getBlobLeaseClient().acquireLease(15), 409, "LeaseAlreadyPresent");
  await lease.renewLease();
  const next = randomUUID();
  assert.equal((await lease.changeLease(next)).leaseId, next);
  await refused(blob.getBlobLeaseClient(first.leaseId).renewLease(), 409, "LeaseIdMismatchWithLeaseOperation");
  assert.ok((await lease.breakLease(40)).leaseTime > 30);
  assert.equal((await blob.getProperties()).leaseState, "breaking");
  await refused(lease.renewLease(), 409, "LeaseIsBrokenAndCannotBeRenewed");
  assert.equal((await lease.breakLease(0)).leaseTime, 0);
  assert.equal((await blob.getProperties()).leaseState, "broken");
  await put(blob, "free");
});

test("a leased container is not deleted by others", async (t) => {
  const container = await freshContainer(t);
  const lease = container.getBlobLeaseClient();
  const { leaseId } = await lease.acquireLease(60);
  await refused(container.delete(), 412, "LeaseIdMissing");
  await put(container.getBlobClient("b"), "blobs are not held");
  await container.delete({ conditions: { leaseId } });
  assert.equal(await container.exists(), false);
});
