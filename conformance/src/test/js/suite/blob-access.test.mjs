import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AccountSASPermissions,
  BlobSASPermissions,
  BlobServiceClient,
  ContainerSASPermissions,
  StorageSharedKeyCredential,
  generateBlobSASQueryParameters,
} from "@azure/storage-blob";
import { DEVELOPMENT, SECOND } from "./accounts.mjs";
import {
  CREDENTIAL,
  ENDPOINT,
  ORIGIN,
  accountSas,
  freshContainer,
  freshName,
  namesOf,
  options,
  past,
  put,
  refused,
  service,
  soon,
  textOf,
  withSas,
} from "./blob-support.mjs";

/** A container with one blob. */
async function prepared(t) {
  const container = await freshContainer(t);
  await put(container.getBlobClient("emp/0099.jpg"), "text");
  return container;
}

/** The blob, by a SAS over it alone. */
function blobWith(container, permissions, values = {}) {
  const sas = generateBlobSASQueryParameters(
    {
      containerName: container.containerName,
      blobName: "emp/0099.jpg",
      permissions: permissions && BlobSASPermissions.parse(permissions),
      expiresOn: soon(),
      ...values,
    },
    CREDENTIAL,
  );
  return withSas(container, sas.toString()).getBlobClient("emp/0099.jpg");
}

/** The container, by a SAS over it. */
function containerWith(container, permissions, values = {}) {
  const sas = generateBlobSASQueryParameters(
    {
      containerName: container.containerName,
      permissions: permissions && ContainerSASPermissions.parse(permissions),
      expiresOn: soon(),
      ...values,
    },
    CREDENTIAL,
  );
  return withSas(container, sas.toString());
}

test("a wrong key is refused, and no credential too", async () => {
  const credential = new StorageSharedKeyCredential(DEVELOPMENT.name, Buffer.from("wrong").toString("base64"));
  await refused(new BlobServiceClient(ENDPOINT, credential, options()).getProperties(), 403, "AuthenticationFailed");
  const nobody = new BlobServiceClient(ENDPOINT, undefined, options());
  const error = await refused(nobody.getProperties(), 401, "NoAuthenticationInformation");
  assert.match(error.response.headers.get("www-authenticate"), /^Bearer authorization_uri=/);
});

test("both keys of an account open it", async () => {
  for (const key of [SECOND.key, SECOND.otherKey]) {
    const credential = new StorageSharedKeyCredential(SECOND.name, key);
    const other = new BlobServiceClient(`${ORIGIN}/${SECOND.name}`, credential, options());
    const container = other.getContainerClient(freshName());
    await container.create();
    await put(container.getBlobClient("a b/ü+?"), "text");
    assert.equal(await textOf(container.getBlobClient("a b/ü+?")), "text");
    await container.delete();
  }
});

test("a blob SAS allows what it says, of its blob", async (t) => {
  const container = await prepared(t);
  const operations = [
    ["r", (blob) => textOf(blob)],
    ["w", (blob) => put(blob, "text")],
    ["w", (blob) => blob.setMetadata({ a: "b" })],
    ["d", (blob) => blob.delete()],
  ];
  for (const granted of ["r", "w", "d"]) {
    const blob = blobWith(container, granted);
    for (const [needed, run] of operations) {
      await put(container.getBlobClient("emp/0099.jpg"), "text");
      if (needed === granted) {
        await run(blob);
      } else {
        await refused(run(blob), 403, "AuthorizationPermissionMismatch");
      }
    }
  }
});

test("a SAS to create does not overwrite", async (t) => {
  const container = await prepared(t);
  await refused(put(blobWith(container, "c"), "no"), 403, "UnauthorizedBlobOverwrite");
  await container.deleteBlob("emp/0099.jpg");
  await put(blobWith(container, "c"), "made");
});

test("a container SAS lists or reads as it says", async (t) => {
  const container = await prepared(t);
  const lister = containerWith(container, "l");
  assert.deepEqual(await namesOf(lister.listBlobsFlat()), ["emp/0099.jpg"]);
  await refused(lister.getBlobClient("emp/0099.jpg").download(), 403, "AuthorizationPermissionMismatch");
  const reader = containerWith(container, "r");
  assert.equal(await textOf(reader.getBlobClient("emp/0099.jpg")), "text");
  await refused(namesOf(reader.listBlobsFlat()), 403, "AuthorizationPermissionMismatch");
  const other = await freshContainer(t);
  const foreign = new URL(containerWith(other, "rl").url).search.slice(1);
  await refused(namesOf(withSas(container, foreign).listBlobsFlat()), 403, "AuthenticationFailed");
});

test("a SAS holds for its time, its addresses and its protocol", async (t) => {
  const container = await prepared(t);
  await refused(blobWith(container, "r", { expiresOn: past() }).download(), 403, "AuthenticationFailed");
  const elsewhere = blobWith(container, "r", { ipRange: { start: "203.0.113.7" } });
  await refused(elsewhere.download(), 403, "AuthorizationSourceIPMismatch");
  await refused(blobWith(container, "r", { protocol: "https" }).download(), 403, "AuthorizationProtocolMismatch");
});

test("a SAS may say how the blob is described", async (t) => {
  const container = await prepared(t);
  const blob = blobWith(container, "r", { contentType: "image/jpeg", contentDisposition: "inline; filename=a b.jpg" });
  const { contentType, contentDisposition } = await blob.download();
  assert.deepEqual([contentType, contentDisposition], ["image/jpeg", "inline; filename=a b.jpg"]);
});

for (const version of ["2018-11-09", "2020-12-06", "2026-06-06"]) {
  test(`a SAS may be signed for version ${version}`, async (t) => {
    const container = await prepared(t);
    assert.equal(await textOf(blobWith(container, "r", { version })), "text");
  });
}

test("a snapshot SAS is for that snapshot", async (t) => {
  const container = await prepared(t);
  const blob = container.getBlobClient("emp/0099.jpg");
  const { snapshot } = await blob.createSnapshot();
  await put(blob, "later");
  const reader = blobWith(container, "r", { snapshotTime: snapshot });
  assert.equal(await textOf(reader.withSnapshot(snapshot)), "text");
  await refused(reader.download(), 403, "AuthenticationFailed");
});

test("a stored access policy grants until it is changed or removed", async (t) => {
  const container = await prepared(t);
  const policy = (permissions) => [
    { id: "readers", accessPolicy: { startsOn: past(), expiresOn: soon(), permissions } },
  ];
  const blob = containerWith(container, undefined, { identifier: "readers", expiresOn: undefined }).getBlobClient(
    "emp/0099.jpg",
  );
  await refused(blob.download(), 403, "AuthenticationFailed");
  await container.setAccessPolicy(undefined, policy("r"));
  assert.equal(await textOf(blob), "text");
  await refused(put(blob, "no"), 403, "AuthorizationPermissionMismatch");
  await container.setAccessPolicy(undefined, policy("rw"));
  await put(blob, "yes");
  await container.setAccessPolicy(undefined, []);
  await refused(blob.download(), 403, "AuthenticationFailed");
});

test("an account SAS is bound to its resource types, services and permissions", async (t) => {
  const container = await prepared(t);
  const with_ = (values) => withSas(container, accountSas(values));
  assert.equal(await textOf(with_({}).getBlobClient("emp/0099.jpg")), "text");
  await refused(namesOf(with_({ resourceTypes: "o" }).listBlobsFlat()), 403, "AuthorizationResourceTypeMismatch");
  await refused(with_({ services: "qt" }).getProperties(), 403, "AuthorizationServiceMismatch");
  const reader = with_({ permissions: AccountSASPermissions.parse("r") });
  await refused(put(reader.getBlobClient("new"), "no"), 403, "AuthorizationPermissionMismatch");
});

test("the account tells its properties", async () => {
  const { skuName, accountKind } = await service.getAccountInfo();
  assert.deepEqual([skuName, accountKind], ["Standard_LRS", "StorageV2"]);
  assert.ok(await service.getProperties());
});
