// What belongs to the blobs of an account as a whole.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BlobSASPermissions, BlobServiceClient } from "@azure/storage-blob";
import { corsContract, propertiesContract } from "./service-contract.mjs";
import { CREDENTIAL, ENDPOINT, freshContainer, options, put, refused, service, soon } from "./blob-support.mjs";

propertiesContract({ service, refused, logging: "blobAnalyticsLogging", deletions: "deleteProperty" });

async function read(t, headers) {
  const blob = (await freshContainer(t)).getBlockBlobClient("text");
  await put(blob, "text");
  const url = await blob.generateSasUrl({ permissions: BlobSASPermissions.parse("r"), expiresOn: soon() });
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), "text");
  return response.headers;
}

corsContract({ service, endpoint: ENDPOINT, path: "pictures/portrait", read });

describe("statistics", () => {
  test("they come from the secondary", async () => {
    const secondary = new BlobServiceClient(`${ENDPOINT}-secondary`, CREDENTIAL, options());
    assert.equal((await secondary.getStatistics()).geoReplication.status, "live");
  });

  test("the primary has none", async () => {
    await refused(service.getStatistics(), 400, "InvalidQueryParameterValue");
  });
});
